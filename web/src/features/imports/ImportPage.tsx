import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportMapping, ImportRun, ImportSource } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { SourceKey } from '@/records/key/SourceKey'
import { Tabs } from '@/ui/Tabs'
import classes from './imports.module.css'
import { mappingQuery, refresh, runsQuery, sourceQuery, useSource } from './imports'
import { Mapping } from './Mapping'
import { How, What, Where } from './Options'
import { RunBox, Start } from './Run'
import { useImportForm, useImportWords } from './source-form'

export { texts } from './imports'

const RecordDelete = lazyDialog(() => import('@/records/resource/RecordDelete'))

const tabs = ['mapping', 'options', 'log'] as const
const lastRuns = (source: number) => ({ source, page: 1, per_page: 10 })

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = Number(params['id'])
  void queryClient.prefetchQuery(runsQuery(lastRuns(id)))
  await Promise.all([queryClient.ensureQueryData(sourceQuery(id)), queryClient.ensureQueryData(mappingQuery(id))])
}

/** `/settings/imports-parcours/{id}`: a source, its mapping, its options, its last runs. */
export function Page() {
  const { t } = useTranslation('imports')
  const { id: written } = useParams({ strict: false })
  const id = Number(written)
  const requested: unknown = useSearch({ strict: false })['tab']
  const tab = tabs.find((one) => one === requested) ?? 'mapping'
  const { source, runs, mapping } = useSource(id, lastRuns(id))
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('title'), link: { to: '/settings/imports-parcours' } },
    { label: source?.name ?? '' },
  ])
  if (source === undefined || mapping === undefined) return <Skeleton height={220} />
  return <Source key={id} source={source} mapping={mapping} runs={runs} tab={tab} />
}

function Source({
  source,
  mapping,
  runs,
  tab,
}: {
  source: ImportSource
  mapping: ImportMapping
  runs: readonly ImportRun[] | undefined
  tab: (typeof tabs)[number]
}) {
  const { t } = useTranslation('imports')
  const last = runs?.[0]
  const navigate = useNavigate()
  const form = useImportForm(
    source,
    mapping,
    (path) => void navigate({ to: '.', search: { tab: /^(fields|values)\b/.test(path) ? 'mapping' : 'options' }, resetScroll: false }),
  )
  const words = useImportWords(mapping.words)
  return (
    <div className={classes['page']}>
      <PageHeader
        title={source.name}
        facts={`${t(`kindShort.${source.kind}`)} · ${source.url ?? source.file?.name ?? ''}`}
        actions={
          <>
            <Start source={source.id} running={last?.state === 'running'} />
            <SaveButton form={form} />
          </>
        }
      >
        <Tabs
          label={t('tab.label')}
          tabs={tabs.map((key) => ({
            key,
            label: t(`tab.${key}`),
            ...(key === 'mapping' && mapping.waiting > 0 ? { count: mapping.waiting } : {}),
            current: key === tab,
            link: { to: '.', search: { tab: key } },
          }))}
        />
      </PageHeader>
      <div className={classes['body']}>
        {last && tab !== 'log' && <RunBox run={last} />}
        <ResourceForm form={form} saveError={t('step.saveError')} {...words}>
          {tab === 'mapping' && (
            <Mapping
              mapping={mapping}
              tried={runs === undefined ? undefined : last === undefined ? 'never' : last.state === 'running' ? 'running' : 'done'}
            />
          )}
          {tab === 'options' && (
            <div className={classes['form']}>
              <What fixed />
              <Where there={source.file?.name} />
              <How />
            </div>
          )}
        </ResourceForm>
        {tab === 'options' && <More source={source} />}
        {tab === 'log' && runs !== undefined && <Log runs={runs} />}
      </div>
    </div>
  )
}

function Log({ runs }: { runs: readonly ImportRun[] }) {
  const { t } = useTranslation('imports')
  if (runs.length === 0) return <EmptyState title={t('log.none')} text={t('log.noneText')} />
  return (
    <ul className={classes['sources']} aria-label={t('log.runs')}>
      {runs.map((run) => (
        <RunBox key={run.id} run={run} as="li" />
      ))}
    </ul>
  )
}

/** Actions that take effect at once, without the form's save: the key and the removal. */
function More({ source }: { source: ImportSource }) {
  const cache = useQueryClient()
  return (
    <div className={classes['form']}>
      <SourceKey path="/api/v1/import-sources/{id}/credential" record={source} onSettled={() => refresh(cache)} />
      <Remove source={source} />
    </div>
  )
}

/** Moves the source to the bin; the records it imported are kept. */
function Remove({ source }: { source: ImportSource }) {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  return (
    <div className={classes['actions']}>
      <Button look="ghost" onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      {asking && (
        <RecordDelete
          base="/api/v1/import-sources"
          queryKey={['imports']}
          record={source}
          title={source.name}
          asksUses={false}
          onClose={() => setAsking(false)}
          onDeleted={() => navigate({ to: '/settings/imports-parcours' })}
        />
      )}
    </div>
  )
}
