import { useInfiniteQuery, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Job, Jobs } from '@/api/types'
import { textFor, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Progress } from '@/ui/feedback/Progress'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { FilterBar } from '@/records/list/FilterBar'
import type { FilterDef } from '@/records/list/filters'
import { readListState } from '@/records/list/list-state'
import { LoadMore } from '@/ui/list/LoadMore'
import { blank, ResourceList, type Column } from '@/records/list/ResourceList'
import { useListState } from '@/records/list/useListState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { faultText, problemText } from '@/records/problem-text'
import resourceClasses from '@/records/resource/resource.module.css'
import { cancel, config, jobsQuery, kinds, mayCancel, mayRetry, retry, states, toneOf } from './jobs'
import classes from './jobs.module.css'

export const texts = ['settings', 'resource', 'jobs']

export const load = ({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }) =>
  queryClient.ensureInfiniteQueryData(jobsQuery(readListState(search, config).filters))

/** The name of a kind. A kind of a newer version has none: its word is shown. */
const kindName = (kind: string) => textFor(`jobs:kind.${kind}`) ?? kind

/** `/settings/taches`: the work that servers do after their answers. */
export function Page() {
  const { t } = useTranslation('jobs')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title') }])
  const list = useListState(config)
  const result = useInfiniteQuery(jobsQuery(list.filters))
  const first = result.data?.pages[0]
  const items = result.data?.pages.flatMap((page) => page.items)
  const filters: FilterDef[] = [
    { key: 'state', label: t('filter.state'), kind: 'many', choices: states.map((value) => ({ value, label: t(`state.${value}`) })) },
    { key: 'kind', label: t('filter.kind'), kind: 'one', choices: kinds.map((value) => ({ value, label: t(`kind.${value}`) })) },
  ]
  const columns: Column<Job>[] = [
    { key: 'kind', header: t('column.job'), phone: 'main', render: (job) => <What job={job} /> },
    { key: 'state', header: t('column.state'), width: '24%', render: (job) => <State job={job} /> },
    {
      key: 'progress',
      header: t('column.progress'),
      width: '18%',
      render: (job) => (job.total === null || job.state === 'done' ? blank : <Done job={job} />),
    },
    { key: 'when', header: t('column.when'), width: '17%', render: (job) => <When job={job} /> },
    {
      key: 'actions',
      header: t('column.actions'),
      width: '200px',
      render: (job) => (mayRetry(job) || mayCancel(job) ? <Actions job={job} /> : blank),
    },
  ]
  return (
    <div className={resourceClasses['page']}>
      <PageHeader title={t('title')} facts={t('lead')} />
      <div className={resourceClasses['body']}>
        {first !== undefined && <Totals of={first} />}
        <FilterBar list={list} filters={filters} searchLabel={t('filters')} search={false} />
        <ResourceList
          label={t('title')}
          list={list}
          filters={filters}
          result={{
            ...result,
            isFetching: result.isFetching && !result.isRefetching,
            data: items === undefined ? undefined : { items, total: items.length },
          }}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ kind, id }) => t('name', { kind: kindName(kind), id })}
          empty={<EmptyState title={t('empty')} text={t('emptyText')} />}
          foot={<LoadMore pages={result} more={t('older')} end={t('end')} />}
        />
      </div>
    </div>
  )
}

/** How many jobs there are by state, and how many jobs of other users run or wait. */
function Totals({ of: { counts, others } }: { of: Jobs }) {
  const { t } = useTranslation('jobs')
  const visible = (['running', 'waiting', 'dead'] as const).map((state) => ({ state, count: counts[state] }))
  const elsewhere = others.running + others.waiting
  return (
    <p className={classes['totals']}>
      {visible.map(({ state, count }) => (
        <span key={state}>
          <strong className="num">{format.number(count)}</strong> {t(`total.${state}`, { count })}
        </span>
      ))}
      {elsewhere > 0 && <span>{t('others', { count: elsewhere })}</span>}
    </p>
  )
}

/** The kind of job, the white-label, and the user who asked for it. */
function What({ job: { kind, white_label: label, asked_by: person } }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const facts = [label?.name, person === null ? undefined : t('askedBy', { name: person.name })].filter((fact) => fact !== undefined)
  return (
    <span className={classes['cell']}>
      <strong>{kindName(kind)}</strong>
      {facts.length > 0 && <span className="small muted">{facts.join(' · ')}</span>}
    </span>
  )
}

/** The state, and why the last attempt failed. */
function State({ job: { state, reason, attempts, max_attempts: most, is_cancelling: cancelling } }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const again = state === 'waiting' && reason !== null
  return (
    <span className={classes['cell']}>
      <Badge tone={again ? 'warn' : toneOf[state]}>{cancelling ? t('cancelling') : t(again ? 'afterFailure' : `state.${state}`)}</Badge>
      {reason !== null && state !== 'done' && <span className={`small ${classes['reason']}`}>{faultText(reason)}</span>}
      {again && attempts > 0 && <span className="small muted">{t('attempts', { attempts, most })}</span>}
    </span>
  )
}

function Done({ job: { kind, id, state, done, total } }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const words = t('progress', { done: format.number(done ?? 0), total: format.number(total ?? 0) })
  if (state !== 'running') return <span className="num">{words}</span>
  return (
    <span className={classes['progress']} title={t('name', { kind: kindName(kind), id })}>
      <Progress total={total} done={done ?? 0}>
        {words}
      </Progress>
    </span>
  )
}

/** When it ended, started, will start or was asked for, and on which server. */
function When({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const { key, at } = moment(job)
  return (
    <span className={classes['cell']}>
      <time dateTime={at} title={format.instant(at)}>
        {t(`when.${key}`, { ago: format.ago(at) })}
      </time>
      {job.server !== null && job.state !== 'waiting' && <span className="small muted">{t('server', { name: job.server })}</span>}
    </span>
  )
}

function moment({ state, started_at: started, finished_at: finished, run_after: after, created_at: created }: Job): {
  key: 'ended' | 'started' | 'starts' | 'soon' | 'asked'
  at: string
} {
  if (finished !== null) return { key: 'ended', at: finished }
  if (state === 'running' && started !== null) return { key: 'started', at: started }
  const wait = new Date(after).getTime() - Date.now()
  if (wait > 0) return { key: wait < 60_000 ? 'soon' : 'starts', at: after }
  return { key: 'asked', at: created }
}

function Actions({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const act = useMutation({
    mutationFn: (action: 'retry' | 'cancel') => (action === 'retry' ? retry(job.id) : cancel(job.id)),
    onSuccess: ({ is_cancelling: stops }, action) =>
      toast({ text: t(action === 'retry' ? 'retried' : stops ? 'asked' : 'cancelled', { kind: kindName(job.kind) }) }),
    onError: (error) => toastError(problemText(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const named = { kind: kindName(job.kind), id: job.id }
  return (
    <span className={classes['actions']}>
      {mayRetry(job) && (
        <Button
          size="small"
          look="soft"
          busy={act.isPending && act.variables === 'retry'}
          aria-label={t('retryOf', named)}
          onClick={() => act.mutate('retry')}
        >
          {t('retry')}
        </Button>
      )}
      {mayCancel(job) && (
        <Button
          size="small"
          busy={act.isPending && act.variables === 'cancel'}
          disabledReason={job.is_cancelling ? t('cancelling') : undefined}
          aria-label={t('cancelOf', named)}
          onClick={() => setAsking(true)}
        >
          {t('cancel')}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          opened
          danger
          title={t('cancelTitle', named)}
          confirm={t('cancelConfirm')}
          dismiss={t('cancelDismiss')}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            act.mutateAsync('cancel').then(
              () => setAsking(false),
              () => setAsking(false),
            )
          }
        >
          <p>{t(job.state === 'running' ? 'cancelRunning' : 'cancelWaiting')}</p>
        </ConfirmDialog>
      )}
    </span>
  )
}
