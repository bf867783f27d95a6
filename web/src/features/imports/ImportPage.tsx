import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ImportRun, ImportSource } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import { reportForgottenKey } from '@/ui/resource/forgotten-key'
import { SourceKey } from '@/ui/source/SourceKey'
import { Tabs } from '@/ui/Tabs'
import { faultsOf } from './faults'
import classes from './imports.module.css'
import { changeSource, mappingQuery, refresh, runsQuery, sendFile, sourceQuery } from './imports'
import { Mapping } from './Mapping'
import { How, What, Where, type Draft } from './Options'
import { Run, RunActions, Start } from './Run'

export { texts } from './imports'

const RecordDelete = lazy(() => import('@/ui/resource/RecordDelete'))

const tabs = ['mapping', 'options', 'log'] as const
const lastRuns = (source: number) => ({ source, page: 1, per_page: 10 })

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = Number(params['id'])
  void queryClient.prefetchQuery(runsQuery(lastRuns(id)))
  await queryClient.ensureQueryData(sourceQuery(id))
}

/** `/settings/imports-parcours/{id}`: a source, its mapping, its options, its last runs. */
export function Page() {
  const { t } = useTranslation('imports')
  const { id: written } = useParams({ strict: false })
  const id = Number(written)
  const asked: unknown = useSearch({ strict: false })['tab' as never]
  const tab = tabs.find((one) => one === asked) ?? 'mapping'
  const source = useQuery(sourceQuery(id)).data
  const runs = useQuery(runsQuery(lastRuns(id))).data?.items ?? []
  const running = runs[0]?.state === 'running'
  const mapping = useQuery(mappingQuery(id, running)).data
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title'), link: { to: '/settings/imports-parcours' } }, { label: source?.name ?? '' }])
  if (source === undefined) return <Skeleton height={220} />
  return (
    <div className={classes['page']}>
      <PageHeader title={source.name} facts={`${t(`kindShort.${source.kind}`)} · ${source.url ?? source.file?.name ?? ''}`} actions={<Start source={id} running={running} />}>
        <Tabs
          label={t('tab.label')}
          tabs={tabs.map((key) => ({
            key,
            label: t(`tab.${key}`),
            ...(key === 'mapping' && mapping !== undefined && mapping.waiting > 0 ? { count: mapping.waiting } : {}),
            current: key === tab,
            link: { to: '.', search: { tab: key } as never },
          }))}
        />
      </PageHeader>
      <div className={classes['body']}>
        {runs[0] && tab !== 'log' && <Last run={runs[0]} />}
        {tab === 'mapping' && (mapping === undefined ? <Skeleton height={240} /> : <Mapping key={`${source.version} ${mapping.words.length} ${mapping.fields.length}`} source={source} mapping={mapping} tried={runs.length > 0} />)}
        {tab === 'options' && <Options key={source.version} source={source} />}
        {tab === 'log' && <Log runs={runs} />}
      </div>
    </div>
  )
}

function Last({ run }: { run: ImportRun }) {
  return (
    <div className={classes['last']}>
      <Run run={run} />
      <RunActions run={run} />
    </div>
  )
}

function Log({ runs }: { runs: readonly ImportRun[] }) {
  const { t } = useTranslation('imports')
  if (runs.length === 0) return <EmptyState title={t('log.none')} text={t('log.noneText')} />
  return (
    <ul className={classes['sources']} aria-label={t('log.runs')}>
      {runs.map((run) => (
        <li key={run.id} className={classes['last']}>
          <Run run={run} />
          <RunActions run={run} />
        </li>
      ))}
    </ul>
  )
}

function Options({ source }: { source: ImportSource }) {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const [draft, setDraft] = useState<Draft>(source)
  const [file, setFile] = useState<File | null>(null)
  const save = useMutation({
    mutationFn: async () => {
      const { name, url, host, distribute_own: distribute, force_published: published, force_source_geometry: geometry, schedule, notify_email: email } = draft
      const saved = await changeSource(source, { name, url, host: url === null ? null : host, distribute_own: distribute, force_published: published, force_source_geometry: geometry, schedule, notify_email: email })
      return file !== null && url === null ? sendFile(saved, file) : saved
    },
    onSuccess: async (saved) => {
      toast({ text: t('step.saved') })
      reportForgottenKey(source, saved)
      await refresh(cache)
    },
  })
  const faults = faultsOf(save.error)
  const part = { draft, faults, change: (patch: Partial<Draft>) => setDraft({ ...draft, ...patch }) }
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {save.error && (
        <Banner tone="danger" live="alert">
          {format.labelled(t('step.saveError'), Object.values(faults).join(' ') || problemText(save.error))}
        </Banner>
      )}
      <What {...part} fixed />
      <Where {...part} file={file} onFile={setFile} there={source.file?.name} />
      <How {...part} />
      <div className={classes['actions']}>
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('save')}
        </Button>
      </div>
      <SourceKey path={`/api/v1/import-sources/${source.id}`} record={source} onSettled={() => refresh(cache)} />
      <Remove source={source} />
    </form>
  )
}

/** Into the bin: what it brought stays. */
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
        <Suspense fallback={null}>
          <RecordDelete
            base="/api/v1/import-sources"
            queryKey={['imports']}
            record={source}
            title={source.name}
            asksUses={false}
            onClose={() => setAsking(false)}
            onDeleted={() => navigate({ to: '/settings/imports-parcours' })}
          />
        </Suspense>
      )}
    </div>
  )
}
