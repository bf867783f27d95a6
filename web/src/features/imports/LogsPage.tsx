import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import classes from './imports.module.css'
import { runQuery, runsQuery } from './imports'
import { Lines, onlyOf } from './Lines'
import { Run, RunActions } from './Run'

export { texts } from './imports'

const firstPage = { page: 1, per_page: 50 }

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = params['id']
  await Promise.all([
    queryClient.ensureQueryData(runsQuery(firstPage)),
    ...(id === undefined ? [] : [queryClient.ensureQueryData(runQuery(Number(id)))]),
  ])
}

/** `/settings/logs-imports-parcours` and `…/{id}`: each run with its report, item by item. */
export function Page() {
  const { t } = useTranslation('imports')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('log.title') }])
  const { id } = useParams({ strict: false })
  // Mails that were sent contain the older form of the address.
  const before: unknown = useSearch({ strict: false })['run']
  const wanted = id ?? (typeof before === 'string' ? before : undefined)
  const only = onlyOf(useSearch({ strict: false })['only'])
  const { data, error } = useQuery(runsQuery(firstPage))
  const listed = data?.items ?? []
  // The run of the address is put first when it is older than those listed.
  const old = useQuery({
    ...runQuery(Number(wanted)),
    enabled: wanted !== undefined && listed.every((run) => String(run.id) !== wanted),
  }).data
  const runs = old === undefined || listed.some((run) => run.id === old.id) ? listed : [old, ...listed]
  const current = wanted === undefined ? runs[0] : runs.find((run) => String(run.id) === wanted)
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('log.title')}
        facts={t('log.lead')}
        actions={<ButtonLink to="/settings/imports-parcours">{t('title')}</ButtonLink>}
      />
      <div className={classes['body']}>
        {error && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {data === undefined && !error && <Skeleton height={200} />}
        {data !== undefined && current === undefined && <EmptyState title={t('log.none')} text={t('log.noneText')} />}
        {current !== undefined && (
          <div className={classes['split']}>
            <nav aria-label={t('log.runs')}>
              <ul className={classes['runs']}>
                {runs.map((run) => (
                  <li key={run.id}>
                    <Link
                      to="/settings/logs-imports-parcours/$id"
                      params={{ id: String(run.id) }}
                      resetScroll={false}
                      aria-current={run.id === current.id ? 'true' : undefined}
                      data-state={run.state}
                      activeProps={{}}
                    >
                      <strong>{run.source_name === '' ? `n° ${run.source_id}` : run.source_name}</strong>
                      <span className="small muted">
                        {t(`mode.${run.mode}`)} · {t(`state.${run.state}`)} · {format.ago(run.started_at)}
                        {run.error_count > 0 && ` · ${t('errors', { count: run.error_count })}`}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            <section className={classes['part']} aria-label={t('log.lines')}>
              <h2>{current.source_name}</h2>
              <Run run={current} linked={false} />
              <RunActions run={current} />
              <Lines key={current.id} run={current} first={only} />
            </section>
          </div>
        )}
      </div>
    </div>
  )
}
