import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportNote, RecordKind, TranslationJob, TranslationJobLine } from '@/api/types'
import { textFor, translate, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Progress } from '@/ui/feedback/Progress'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toastError } from '@/ui/feedback/toast'
import { Radios } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { labelOf } from '@/records/resource/define'
import { placeOf } from '@/records/resource/kinds'
import { areaOf, labelsOf } from '@/records/translation/texts'
import { AskMany } from '@/records/translation/TranslateMany'
import { actOnJob, jobsQuery, linesQuery, stateTones } from './jobs'
import classes from './translation.module.css'

export const texts = ['translation', 'resource', ...Object.values(areaOf)]

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  await queryClient.ensureQueryData(jobsQuery(1))
}

/** `/settings/traductions`: many sheets translated at once, with the progress of each job and the outcome of each sheet. */
export function Page() {
  const { t } = useTranslation('translation')
  const requested: unknown = useSearch({ strict: false })['job']
  const [starting, setStarting] = useState(false)
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('jobs.title') }])
  const { data, error } = useQuery(jobsQuery(1))
  const begin = (
    <Button look="primary" disabledReason={data?.translates === false ? t('noService') : undefined} onClick={() => setStarting(true)}>
      {t('jobs.all')}
    </Button>
  )
  return (
    <div className={classes['page']}>
      <PageHeader title={t('jobs.title')} facts={t('jobs.lead')} actions={begin} />
      <div className={classes['body']}>
        {error && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {data === undefined && !error && <Skeleton height={160} />}
        {data?.items.length === 0 && <EmptyState title={t('jobs.none')} text={t('jobs.noneText')} actions={begin} />}
        {data !== undefined && data.items.length > 0 && (
          <ul className={classes['jobs']} aria-label={t('jobs.title')}>
            {data.items.map((job, index) => (
              <Job key={job.id} job={job} open={requested === undefined ? index === 0 : String(job.id) === requested} />
            ))}
          </ul>
        )}
      </div>
      {starting && <Start onClose={() => setStarting(false)} />}
    </div>
  )
}

const kinds = ['parcours', 'poi', 'media'] as const

/** Of which kind of sheets, then from which language into which. */
function Start({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('translation')
  const [kind, setKind] = useState<(typeof kinds)[number]>('parcours')
  const [next, setNext] = useState(false)
  if (next) return <AskMany kind={kind} wanted={{}} onClose={onClose} />
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('jobs.all')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" onClick={() => setNext(true)}>
            {t('jobs.next')}
          </Button>
        </>
      }
    >
      <Radios
        label={t('jobs.which')}
        value={kind}
        onChange={setKind}
        choices={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
    </Dialog>
  )
}

function Job({ job, open }: { job: TranslationJob; open: boolean }) {
  const { t } = useTranslation('translation')
  const cache = useQueryClient()
  const { counts, state } = job
  const act = useMutation({
    mutationFn: (action: 'cancellation' | 'resumption') => actOnJob(job.id, action),
    onError: (error) => toastError(problemText(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: ['translation'] }),
  })
  const visible = (['translated', 'unchanged', 'kept', 'failed'] as const).filter((outcome) => counts[outcome] > 0)
  return (
    <li className={classes['job']} aria-busy={state === 'running'}>
      <div className={classes['head']}>
        <p className={classes['facts']}>
          <Badge tone={stateTones[state]}>{t(`jobs.state.${state}`)}</Badge>
          <strong>
            {t(job.everything ? 'jobs.every' : 'jobs.some', {
              count: job.total,
              kind: t(`kind.${job.kind as 'parcours'}`),
              source: languageName(job.source),
              target: languageName(job.target),
            })}
          </strong>
          <span className="muted" title={format.instant(job.started_at)}>
            {format.ago(job.started_at)}
          </span>
        </p>
        <span className="row wrap">
          {state === 'paused' && (
            <Button size="small" look="soft" busy={act.isPending} onClick={() => act.mutate('resumption')}>
              {t('jobs.resume')}
            </Button>
          )}
          {(state === 'running' || state === 'paused') && (
            <Button size="small" busy={act.isPending || job.cancelling} onClick={() => act.mutate('cancellation')}>
              {t('jobs.cancel')}
            </Button>
          )}
        </span>
      </div>
      {(state === 'running' || state === 'paused') && (
        <Progress total={job.total} done={job.done}>
          {t('jobs.progress', { done: format.number(job.done), total: format.number(job.total) })}
        </Progress>
      )}
      {job.failure !== null && (
        <Banner tone="warn" live="status">
          {noteText(job.kind, job.failure)} {job.waits_until === null ? t('jobs.kept') : t('jobs.waits')}
        </Banner>
      )}
      <p className={classes['counts']}>
        {visible.map((outcome) => (
          <span key={outcome}>
            <strong className="num">{format.number(counts[outcome])}</strong> {t(`jobs.outcome.${outcome}`, { count: counts[outcome] })}
          </span>
        ))}
        <span className="muted">
          {t('jobs.cost', {
            sent: format.number(counts.sent),
            known: format.number(counts.known),
            characters: format.number(counts.characters),
          })}
        </span>
      </p>
      {counts.translated + counts.kept + counts.failed > 0 && <Lines job={job} open={open} />}
    </li>
  )
}

function Lines({ job, open }: { job: TranslationJob; open: boolean }) {
  const { t } = useTranslation('translation')
  const [shown, setShown] = useState(open)
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...linesQuery(job, page), enabled: shown })
  const pages = Math.ceil((data?.total ?? 0) / 50)
  return (
    <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{t('jobs.lines')}</summary>
      <ul className={classes['lines']}>
        {data?.items.map((line) => (
          <Line key={line.record_id} job={job} line={line} />
        ))}
      </ul>
      {pages > 1 && (
        <span className="row wrap">
          <Button size="small" look="ghost" disabledReason={page === 1 ? t('jobs.first') : undefined} onClick={() => setPage(page - 1)}>
            {t('jobs.before')}
          </Button>
          <span className="small num">{t('jobs.page', { page, pages })}</span>
          <Button size="small" look="ghost" disabledReason={page === pages ? t('jobs.last') : undefined} onClick={() => setPage(page + 1)}>
            {t('jobs.after')}
          </Button>
        </span>
      )}
    </details>
  )
}

const outcomeTones = { translated: 'ok', kept: 'neutral', failed: 'danger' } as const

function Line({ job, line }: { job: TranslationJob; line: TranslationJobLine }) {
  const { t } = useTranslation('translation')
  return (
    <li className={classes['line']}>
      <Badge tone={outcomeTones[line.outcome]}>{t(`jobs.line.${line.outcome}`)}</Badge>{' '}
      <Link to={placeOf(job.kind, line.record_id) ?? '/'}>{line.title === '' ? `#${line.record_id}` : line.title}</Link>{' '}
      <span className="small muted">{format.list(line.fields.map((field) => fieldWords(job.kind, field)))}</span>
      {line.notes.length > 0 && (
        <ul className={classes['notes']}>
          {line.notes.map((note, index) => (
            <li key={index}>{noteText(job.kind, note)}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** `steps/12/title`: a field in words. */
function fieldWords(kind: RecordKind, field: string): string {
  const [name = field, , part] = field.split('/')
  if (name === 'steps') return translate(part === 'title' ? 'translation:stepTitle' : 'translation:stepText')
  return labelOf(labelsOf(kind), name)
}

function noteText(kind: RecordKind, { code, params = {}, field }: ImportNote): string {
  const named = {
    ...params,
    ...('found' in params ? { found: languageName(params['found'] ?? ''), expected: languageName(params['expected'] ?? '') } : {}),
  }
  const words = textFor(`errors:${code}`, named) ?? translate('errors:unknown', { code })
  return field === null || field === undefined ? words : format.labelled(fieldWords(kind, field), words)
}
