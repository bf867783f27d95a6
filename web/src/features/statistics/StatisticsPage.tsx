import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { meQuery, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format } from '@/ui/format'
import { LazyInView } from '@/ui/LazyInView'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { Apps } from './Apps'
import { queryOf, daysOf, readFilters, useStatisticsFilters } from './filter-state'
import { Breakdown } from './Breakdown'
import { CurveCard } from './CurveCard'
import { Filters } from './Filters'
import { Notes } from './Notes'
import { breakdownQuery, statisticsQuery } from './statistics'
import classes from './statistics.module.css'
import { Tiles } from './Tiles'

const PlacesMap = lazy(() => import('./PlacesMap'))

export const texts = ['statistics']

export async function load({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }): Promise<void> {
  const me = await queryClient.ensureQueryData(meQuery)
  const choice = readFilters(search, me.active_white_label_id)
  void queryClient.prefetchQuery(breakdownQuery(queryOf(choice), 'parcours', choice.kind))
  await queryClient.prefetchQuery(statisticsQuery(queryOf(choice)))
}

/** `/analytics`: usage figures, compared with the period before. */
export function Page() {
  const { t } = useTranslation('statistics')
  usePageMeta([{ label: t('title') }])
  const me = useMe()
  const { choice, change } = useStatisticsFilters(me.active_white_label_id)
  const query = queryOf(choice)
  const { data, error } = useQuery(statisticsQuery(query))
  const common = { query, kind: choice.kind, change }
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('title')}
        facts={t('lead', { from: format.day(choice.days.from), to: format.day(choice.days.to), days: format.number(daysOf(choice.days)) })}
      />
      <div className={classes['body']}>
        <Filters choice={choice} change={change} />
        {error && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {data === undefined && !error && <Skeleton height={320} />}
        {data !== undefined && data.first_day === null && data.installs.length === 0 && (
          <EmptyState
            title={t('empty.title')}
            text={t('empty.text')}
            actions={<ButtonLink to="/parcours">{t('empty.action')}</ButtonLink>}
          />
        )}
        {data !== undefined && (data.first_day !== null || data.installs.length > 0) && (
          <>
            <Tiles data={data} kind={choice.kind} onKind={(kind) => change({ kind: kind === 'view' ? undefined : kind })} />
            <CurveCard data={data} kind={choice.kind} query={query} />
            <div className={classes['split']}>
              <Breakdown by="parcours" {...common} />
              <Card title={t('map.title')} flush>
                <div className={classes['map']}>
                  <ErrorIsland>
                    <LazyInView standIn={<Skeleton height="100%" />}>
                      <Suspense fallback={<Skeleton height="100%" />}>
                        <PlacesMap query={query} kind={choice.kind} />
                      </Suspense>
                    </LazyInView>
                  </ErrorIsland>
                </div>
              </Card>
            </div>
            <div className={classes['grid']}>
              <Breakdown by="source" {...common} />
              <Breakdown by="country" {...common} />
              <Breakdown by="language" {...common} />
              <Breakdown by="referrer" {...common} />
              {me.white_labels.length > 1 && choice.whiteLabel === 0 && <Breakdown by="white_label" {...common} />}
            </div>
          </>
        )}
        {data !== undefined && <Apps data={data} whiteLabel={choice.whiteLabel === 0 ? me.active_white_label_id : choice.whiteLabel} />}
        <Notes />
      </div>
    </div>
  )
}
