import { useMediaQuery } from '@mantine/hooks'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { WatchChange } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Segments, Switch } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { Pager } from '@/ui/list/Pager'
import { readListState, type ListConfig, type ListState } from '@/records/list/list-state'
import { useListState, type ListControl } from '@/records/list/useListState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { Tabs } from '@/ui/Tabs'
import { ChangeCard } from './ChangeCard'
import { Run } from './Run'
import { TraceFaults } from './TraceFaults'
import classes from './network-watch.module.css'
import { changesQuery, watchQuery, type Changes, type ChangesQuery } from './watch'

const ChangeMap = lazy(() => import('./ChangeMap'))

export const texts = ['settings', 'resource', 'trace', 'watch']

const config: ListConfig = { filterKeys: ['guidance', 'owner', 'seen'], defaultSort: '' }
const queryOf = ({ filters, page, perPage }: Pick<ListState, 'filters' | 'page' | 'perPage'>): ChangesQuery => ({
  ...filters,
  page,
  per_page: perPage,
})

export async function load({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }): Promise<void> {
  void queryClient.prefetchQuery(changesQuery(queryOf(readListState(search, config))))
  await queryClient.ensureQueryData(watchQuery)
}

/** `/settings/veille-reseau`: the parcours whose reliability changed with a new network. */
export function Page() {
  const { t } = useTranslation('watch')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title') }])
  const list = useListState(config)
  const watch = useQuery(watchQuery)
  const running = watch.data?.run?.state === 'running'
  const changes = useQuery(changesQuery(queryOf(list), running))
  return (
    <div className={classes['page']}>
      <PageHeader title={t('title')} facts={t('lead')}>
        <GuidanceTabs list={list} counts={changes.data?.counts} />
      </PageHeader>
      <div className={classes['body']}>
        {watch.error ? (
          <Banner tone="danger" live="alert">
            {problemText(watch.error)}
          </Banner>
        ) : (
          watch.data && <Run watch={watch.data} />
        )}
        {watch.data && watch.data.run !== null && <Found list={list} changes={changes.data} error={changes.error} running={running} />}
        <TraceFaults owner={list.filters['owner'] === 'mine' ? 'mine' : undefined} />
      </div>
    </div>
  )
}

const tabs = ['all', 'lost', 'gained', 'none'] as const

function GuidanceTabs({ list, counts }: { list: ListControl; counts: Changes['counts'] | undefined }) {
  const { t } = useTranslation('watch')
  const countOf = {
    all: counts && counts.lost + counts.gained + counts.better + counts.worse,
    lost: counts?.lost,
    gained: counts?.gained,
    none: counts && counts.better + counts.worse,
  }
  const now = list.filters['guidance']
  return (
    <Tabs
      label={t('tabs.label')}
      tabs={tabs.map((key) => {
        const count = countOf[key]
        return {
          key,
          label: t(`tabs.${key}`),
          ...(count === undefined ? {} : { count: format.number(count) }),
          current: key === 'all' ? now === undefined : now === key,
          link: {
            to: '.',
            search: (before: Record<string, unknown>) => ({ ...before, guidance: key === 'all' ? undefined : key, page: undefined }),
          },
        }
      })}
    />
  )
}

interface FoundProps {
  list: ListControl
  changes: Changes | undefined
  error: Error | null
  running: boolean
}

/** The parcours that changed, and beside them the stretches of the one looked at. */
function Found({ list, changes, error, running }: FoundProps) {
  const { t } = useTranslation('watch')
  const wide = useMediaQuery('(min-width: 1200px)', true, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<number | null>(null)
  const [stretch, setStretch] = useState<number | null>(null)
  const items = changes?.items ?? []
  // Closed by hand (0), none is open; else the one chosen, else the first.
  const current = chosen === 0 ? undefined : (items.find(({ id }) => id === chosen) ?? items[0])
  const choose = (change: WatchChange) => {
    setStretch(null)
    setChosen(change.id === current?.id ? 0 : change.id)
  }
  const map = current && (
    <ErrorIsland>
      <Suspense fallback={<Skeleton height="100%" />}>
        <ChangeMap change={current} stretch={stretch} onStretch={setStretch} />
      </Suspense>
    </ErrorIsland>
  )
  return (
    <>
      <div className={classes['filters']}>
        <Segments
          label={t('owner.label')}
          value={list.filters['owner'] === 'mine' ? 'mine' : 'all'}
          onChange={(owner) => list.setFilter('owner', owner === 'mine' ? 'mine' : undefined)}
          choices={(['all', 'mine'] as const).map((value) => ({ value, label: t(`owner.${value}`) }))}
        />
        <Switch
          label={t('showSeen')}
          checked={list.filters['seen'] === 'true'}
          onChange={(on) => list.setFilter('seen', on ? 'true' : undefined)}
        />
      </div>
      {error && (
        <Banner tone="danger" live="alert">
          {problemText(error)}
        </Banner>
      )}
      {changes === undefined && !error && <Skeleton height={220} />}
      {changes !== undefined && items.length === 0 && <Nothing list={list} running={running} />}
      {items.length > 0 && (
        <div className={classes['split']}>
          <div>
            <ol className={classes['list']} aria-label={t('list')}>
              {items.map((change) => (
                <ChangeCard
                  key={change.id}
                  change={change}
                  open={change.id === current?.id}
                  onToggle={() => choose(change)}
                  highlighted={change.id === current?.id ? stretch : null}
                  onHighlight={setStretch}
                  map={!wide && change.id === current?.id ? map : null}
                />
              ))}
            </ol>
            {changes && changes.total > list.perPage && (
              <Pager list={list} total={changes.total} capped={changes.total_capped} shown={items.length} />
            )}
          </div>
          {wide && <div className={classes['map']}>{map ?? <p className={classes['hint']}>{t('choose')}</p>}</div>}
        </div>
      )}
    </>
  )
}

function Nothing({ list, running }: { list: ListControl; running: boolean }) {
  const { t } = useTranslation('watch')
  if (running) return <EmptyState title={t('empty.running')} text={t('empty.runningText')} />
  return (
    <EmptyState
      title={t(list.filterCount > 0 ? 'empty.filtered' : 'empty.title')}
      text={t(list.filterCount > 0 ? 'empty.filteredText' : 'empty.text')}
    />
  )
}
