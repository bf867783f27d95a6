import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportLine, ImportOutcome, ImportRun } from '@/api/types'
import { translate, useTranslation } from '@/i18n'
import { Badge, type Tone } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { Segments } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './imports.module.css'
import { decide, fieldWords, linesQuery, noteText, refresh, threshold, unlock } from './imports'

const outcomes = ['created', 'updated', 'refused', 'to_merge', 'gone', 'kept', 'undone'] as const satisfies readonly ImportOutcome[]
const tones: Record<ImportOutcome, Tone> = {
  created: 'ok',
  updated: 'info',
  refused: 'danger',
  to_merge: 'warn',
  gone: 'neutral',
  kept: 'lock',
  undone: 'neutral',
}
const PER_PAGE = 50

/** Which lines are shown. */
export type Only = 'all' | 'unreliable' | ImportOutcome

/** The choice in an address; none where it is no choice. */
export const onlyOf = (written: unknown): Only | undefined => ([...outcomes, 'unreliable'] as const).find((one) => one === written)

const queryOf = (only: Only) => (only === 'all' ? {} : only === 'unreliable' ? { note: 'import/unreliable' } : { outcome: only })

/** The report of a run, to be filtered by outcome; each refusal with its reason. */
export function Lines({ run, first = 'all' }: { run: ImportRun; /** What is shown first. */ first?: Only }) {
  const { t } = useTranslation('imports')
  const met = [...outcomes, 'unreliable' as const].filter((outcome) => run.counts[outcome] > 0)
  const [only, setOnly] = useState<Only>(first)
  const [page, setPage] = useState(1)
  // The proposals of a dry run are shown, but cannot be answered.
  const queue = only === 'to_merge' && run.mode !== 'dry'
  const { data } = useQuery(linesQuery(run, { ...queryOf(only), ...(queue ? { waits: true } : {}), page, per_page: PER_PAGE }))
  // After the last item of a page is answered, the page before is shown.
  if (data !== undefined && data.items.length === 0 && page > 1) setPage(Math.max(1, Math.ceil(data.total / PER_PAGE)))
  // A run that failed or was stopped says so above: that nothing changed would be a wrong reason.
  if (met.length === 0 && run.state !== 'running') return run.state === 'done' ? <p className="muted">{t('log.nothing')}</p> : null
  return (
    <>
      {met.length > 1 && (
        <Segments
          label={t('log.filter')}
          value={only}
          onChange={(next) => {
            setOnly(next)
            setPage(1)
          }}
          choices={[
            { value: 'all' as const, label: t('log.everything') },
            ...met.map((value) => ({ value, label: t(`outcome.${value}`, { threshold: threshold() }) })),
          ]}
        />
      )}
      {data === undefined && <Skeleton height={120} />}
      <ul className={classes['lines']}>
        {data?.items.map((line) => (
          <Line key={line.id} line={line} run={run} queue={queue} />
        ))}
      </ul>
      {queue && data?.total === 0 && <p className="muted">{t('log.queueEmpty')}</p>}
      {data !== undefined && data.total > PER_PAGE && (
        <div className={classes['actions']}>
          <Button size="small" {...(page === 1 ? { disabledReason: t('log.nothingOf') } : {})} onClick={() => setPage(page - 1)}>
            ‹
          </Button>
          <span className="num">{`${format.number((page - 1) * PER_PAGE + 1)} – ${format.number(Math.min(page * PER_PAGE, data.total))} / ${format.number(data.total)}`}</span>
          <Button
            size="small"
            {...(page * PER_PAGE >= data.total ? { disabledReason: t('log.nothingOf') } : {})}
            onClick={() => setPage(page + 1)}
          >
            ›
          </Button>
        </div>
      )}
    </>
  )
}

function Line({
  line,
  run,
  queue,
}: {
  line: ImportLine
  run: ImportRun
  /** Only lines that wait for an answer are shown. */ queue: boolean
}) {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const { outcome, title, item, notes, changes, parcours_id: parcours } = line
  const locked = notes.find(({ code }) => code === 'import/locked')?.params?.['fields']
  const say = useMutation({
    mutationFn: (merge: boolean) => decide(run.source_id, item, merge),
    onSuccess: () => {
      toast({ text: t('log.decided') })
      void refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  const open = useMutation({
    mutationFn: (fields: string[]) => unlock(run.source_id, item, fields),
    onSuccess: () => toast({ text: t('log.unlocked') }),
    onError: (error) => toastError(problemText(error)),
  })
  const dry = run.mode === 'dry'
  // An answered item is removed at once, before the list is fetched again.
  if (queue && say.isSuccess) return null
  const waits = line.waits && !say.isSuccess
  return (
    <li className={classes['line']}>
      <p className={classes['facts']}>
        <Badge tone={tones[outcome]}>
          {dry && (outcome === 'created' || outcome === 'updated') ? t(`wouldBe.${outcome}`) : t(`one.${outcome}`)}
        </Badge>
        <strong>{title}</strong>
        {title !== item && <span className="small muted">{t('log.id', { id: item })}</span>}
        {parcours !== null && (
          <Link to="/parcours/$id" params={{ id: String(parcours) }} className="small">
            {t('log.parcours')}
          </Link>
        )}
      </p>
      {notes.length > 0 && (
        <ul className={classes['notes']}>
          {notes.map((note, index) => (
            <li key={`${note.code} ${index}`}>{noteText(note)}</li>
          ))}
        </ul>
      )}
      {changes.length > 0 && <Changes line={line} />}
      {outcome === 'to_merge' && !dry && !waits && <p className="small muted">{t('log.decided')}</p>}
      {outcome === 'to_merge' && !dry && waits && (
        <div className={classes['actions']}>
          <Button size="small" busy={say.isPending} onClick={() => say.mutate(true)}>
            {t('log.same')}
          </Button>
          <Button size="small" busy={say.isPending} onClick={() => say.mutate(false)}>
            {t('log.other')}
          </Button>
        </div>
      )}
      {locked !== undefined && !dry && (
        <div className={classes['actions']}>
          <Button size="small" look="ghost" busy={open.isPending} onClick={() => open.mutate(locked.split(', '))}>
            {t('log.unlock')}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Before and after, field by field. */
function Changes({ line: { changes, title } }: { line: ImportLine }) {
  const { t } = useTranslation('imports')
  return (
    <details>
      <summary>{t('log.details', { count: changes.length })}</summary>
      <div className={classes['scroll']} role="region" aria-label={`${t('log.details', { count: changes.length })} ${title}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('log.field')}</th>
              <th scope="col">{t('log.before')}</th>
              <th scope="col">{t('log.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{fieldWords(field)}</th>
                <td>{valueWords(field, before) ?? <span className="muted">{t('log.empty')}</span>}</td>
                <td>{valueWords(field, after) ?? <span className="muted">{t('log.empty')}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** A value as a person reads it: texts by language, lengths in kilometres, markup taken away. */
function valueWords(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (field === 'trace' && typeof value === 'number') return format.distance(value)
  if (typeof value === 'string') return value.replace(/<[^>]*>/g, ' ').trim()
  if (typeof value === 'boolean') return translate(value ? 'imports:yes' : 'imports:no')
  if (typeof value === 'number') return format.number(value)
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String).join(', ')
  const parts = Object.entries(value).map(([language, words]) => format.labelled(language, valueWords(field, words) ?? ''))
  return parts.length === 0 ? undefined : parts.join(' · ')
}
