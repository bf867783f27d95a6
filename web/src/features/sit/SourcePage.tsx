import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ImportRun, SitMapping, SitSource } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { SourceKey } from '@/records/key/SourceKey'
import { Tabs } from '@/ui/Tabs'
import { mappingQuery, refresh, runsQuery, sourceQuery } from './data'
import { Lines } from './Lines'
import { Mapping } from './Mapping'
import { Options } from './Options'
import { Run, Start, Stop } from './Run'
import { useSitForm, useSitWords } from './source-form'
import classes from './sit.module.css'

export { texts } from './data'

const RecordDelete = lazyDialog(() => import('@/records/resource/RecordDelete'))
const tabs = ['log', 'mapping', 'options'] as const

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = Number(params['id'])
  void queryClient.prefetchQuery(runsQuery(id))
  await Promise.all([queryClient.ensureQueryData(sourceQuery(id)), queryClient.ensureQueryData(mappingQuery(id))])
}

/** `/settings/pois-sit/sources/{id}`: the last runs, the mapping of words, the settings. */
export function Page() {
  const { t } = useTranslation('sit')
  const { id: written } = useParams({ strict: false })
  const id = Number(written)
  const requested: { tab?: unknown; run?: unknown } = useSearch({ strict: false })
  const tab = tabs.find((one) => one === requested.tab) ?? 'log'
  const source = useQuery(sourceQuery(id)).data
  const runs = useQuery(runsQuery(id)).data?.items ?? []
  const running = runs[0]?.state === 'running'
  const mapping = useQuery(mappingQuery(id, running)).data
  const cache = useQueryClient()
  const state = runs[0] && `${runs[0].id} ${runs[0].state}`
  // A run that ended has met words since the mapping was asked for last.
  useEffect(() => {
    if (state !== undefined) void cache.invalidateQueries({ queryKey: mappingQuery(id).queryKey })
  }, [cache, id, state])
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('source.title'), link: { to: '/settings/pois-sit/sources' } },
    { label: source?.name ?? '' },
  ])
  if (source === undefined || mapping === undefined) return <Skeleton height={220} />
  return <Source key={id} source={source} mapping={mapping} runs={runs} tab={tab} wanted={String(requested.run)} />
}

function Source({
  source,
  mapping,
  runs,
  tab,
  wanted,
}: {
  source: SitSource
  mapping: SitMapping
  runs: readonly ImportRun[]
  tab: (typeof tabs)[number]
  wanted: string
}) {
  const { t } = useTranslation('sit')
  const navigate = useNavigate()
  const form = useSitForm(
    source,
    (path) => void navigate({ to: '.', search: { tab: /^(columns|values)\b/.test(path) ? 'mapping' : 'options' }, resetScroll: false }),
  )
  const words = useSitWords(mapping.words)
  return (
    <div className={classes['page']}>
      <PageHeader
        title={source.name}
        facts={`${t(`source.kindShort.${source.kind}`)} · ${source.url ?? source.file?.name ?? ''}`}
        actions={
          <>
            <ButtonLink size="small" to="/settings/pois-sit" search={{ source: String(source.id) }}>
              {t('source.records')}
            </ButtonLink>
            <Start source={source.id} running={runs[0]?.state === 'running'} />
            <SaveButton form={form} />
          </>
        }
      >
        <Tabs
          label={t('source.tab.label')}
          tabs={tabs.map((key) => ({
            key,
            label: t(`source.tab.${key}`),
            ...(key === 'mapping' && mapping.waiting > 0 ? { count: mapping.waiting } : {}),
            current: key === tab,
            link: { to: '.', search: { tab: key } },
          }))}
        />
      </PageHeader>
      <div className={classes['body']}>
        {tab === 'log' && <Log runs={runs} wanted={wanted} />}
        <ResourceForm form={form} saveError={t('source.saveError')} {...words}>
          {tab === 'mapping' && <Mapping mapping={mapping} />}
          {tab === 'options' && (
            <div className={classes['form']}>
              <Options there={{ file: source.file?.name }} />
            </div>
          )}
        </ResourceForm>
        {tab === 'options' && <More source={source} />}
      </div>
    </div>
  )
}

function Log({ runs, wanted }: { runs: readonly ImportRun[]; wanted: string }) {
  const { t } = useTranslation('sit')
  const current = runs.find(({ id }) => String(id) === wanted) ?? runs[0]
  if (current === undefined) return <EmptyState title={t('run.none')} text={t('run.noneText')} />
  return (
    <>
      <div className={classes['last']}>
        <Run run={current} linked={false} />
        <Stop run={current} />
      </div>
      {runs.length > 1 && (
        <nav aria-label={t('run.list')} className={classes['runs']}>
          {runs.map((run) => (
            <Link
              key={run.id}
              to="."
              search={{ tab: 'log', run: String(run.id) }}
              resetScroll={false}
              aria-current={run.id === current.id ? 'true' : undefined}
              activeProps={{}}
            >
              {t('run.which', { when: format.instant(run.started_at) })}
            </Link>
          ))}
        </nav>
      )}
      <Lines key={`${current.id} ${current.state}`} run={current} />
    </>
  )
}

/** Actions that take effect at once, apart from the form: the key, the removal. */
function More({ source }: { source: SitSource }) {
  const cache = useQueryClient()
  return (
    <div className={classes['form']}>
      <SourceKey path="/api/v1/sit-sources/{id}/credential" record={source} onSettled={() => refresh(cache)} />
      <div className={classes['actions']}>
        <Remove source={source} />
      </div>
    </div>
  )
}

/** Moves a source to the bin: its records are no longer listed, its POIs stay. */
function Remove({ source }: { source: SitSource }) {
  const { t } = useTranslation('sit')
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="ghost" onClick={() => setAsking(true)}>
        {t('source.remove')}
      </Button>
      {asking && (
        <RecordDelete
          base="/api/v1/sit-sources"
          queryKey={['sit']}
          record={source}
          title={source.name}
          asksUses={false}
          onClose={() => setAsking(false)}
          onDeleted={() => navigate({ to: '/settings/pois-sit/sources' })}
        />
      )}
    </>
  )
}
