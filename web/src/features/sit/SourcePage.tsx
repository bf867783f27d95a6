import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ImportRun, SitSource } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button, ButtonLink } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import { reportForgottenKey } from '@/ui/resource/forgotten-key'
import { Tabs } from '@/ui/Tabs'
import { changeSource, mappingQuery, refresh, runsQuery, sendFile, sendKey, sourceQuery } from './data'
import { Lines } from './Lines'
import { Mapping } from './Mapping'
import { faultsOf, Options, type Draft } from './Options'
import { Run, Start, Stop } from './Run'
import classes from './sit.module.css'

export { texts } from './data'

const RecordDelete = lazy(() => import('@/ui/resource/RecordDelete'))
const tabs = ['log', 'mapping', 'options'] as const

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = Number(params['id'])
  void queryClient.prefetchQuery(runsQuery(id))
  await queryClient.ensureQueryData(sourceQuery(id))
}

/** `/settings/pois-sit/sources/{id}`: its last runs, what its words become, what is set of it. */
export function Page() {
  const { t } = useTranslation('sit')
  const { id: written } = useParams({ strict: false })
  const id = Number(written)
  const asked: { tab?: unknown; run?: unknown } = useSearch({ strict: false })
  const tab = tabs.find((one) => one === asked.tab) ?? 'log'
  const source = useQuery(sourceQuery(id)).data
  const runs = useQuery(runsQuery(id)).data?.items ?? []
  const running = runs[0]?.state === 'running'
  const mapping = useQuery(mappingQuery(id, running)).data
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('source.title'), link: { to: '/settings/pois-sit/sources' } }, { label: source?.name ?? '' }])
  if (source === undefined) return <Skeleton height={220} />
  return (
    <div className={classes['page']}>
      <PageHeader
        title={source.name}
        facts={`${t(`source.kindShort.${source.kind}`)} · ${source.url ?? source.file?.name ?? ''}`}
        actions={
          <>
            <ButtonLink size="small" to="/settings/pois-sit" search={{ source: String(id) } as never}>
              {t('source.records')}
            </ButtonLink>
            <Start source={id} running={running} />
          </>
        }
      >
        <Tabs
          label={t('source.tab.label')}
          tabs={tabs.map((key) => ({
            key,
            label: t(`source.tab.${key}`),
            ...(key === 'mapping' && mapping !== undefined && mapping.waiting > 0 ? { count: mapping.waiting } : {}),
            current: key === tab,
            link: { to: '.', search: { tab: key } as never },
          }))}
        />
      </PageHeader>
      <div className={classes['body']}>
        {tab === 'log' && <Log runs={runs} wanted={String(asked.run)} />}
        {tab === 'mapping' && (mapping === undefined ? <Skeleton height={240} /> : <Mapping key={`${source.version} ${mapping.words.length} ${mapping.columns.length}`} source={source} mapping={mapping} />)}
        {tab === 'options' && <Settings key={source.version} source={source} />}
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
            <Link key={run.id} to="." search={{ tab: 'log', run: String(run.id) } as never} resetScroll={false} aria-current={run.id === current.id ? 'true' : undefined} activeProps={{}}>
              {t('run.which', { when: format.instant(run.started_at) })}
            </Link>
          ))}
        </nav>
      )}
      <Lines key={`${current.id} ${current.state}`} run={current} />
    </>
  )
}

function Settings({ source }: { source: SitSource }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const [draft, setDraft] = useState<Draft>(source)
  const [file, setFile] = useState<File | null>(null)
  const [key, setKey] = useState('')
  const save = useMutation({
    mutationFn: async () => {
      const { name, url, project, selections, criteria, licence, schedule, notify_email: email } = draft
      const saved = await changeSource(source, { name, url, project, selections, criteria, licence, schedule, notify_email: email })
      if (key !== '' && url !== null) await sendKey(saved, key)
      return file !== null && url === null ? sendFile(saved, file) : saved
    },
    onSuccess: async (saved) => {
      toast({ text: t('source.saved') })
      if (key === '') reportForgottenKey(source, saved)
      await refresh(cache)
    },
  })
  const faults = faultsOf(save.error)
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
          {format.labelled(t('source.saveError'), Object.values(faults).join(' ') || problemText(save.error))}
        </Banner>
      )}
      <Options draft={draft} change={(patch) => setDraft({ ...draft, ...patch })} faults={faults} file={file} onFile={setFile} keyWords={key} onKey={setKey} there={{ file: source.file?.name, key: source.credential_set }} />
      <div className={classes['actions']}>
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('source.save')}
        </Button>
        <Remove source={source} />
      </div>
    </form>
  )
}

/** Into the bin: its records are listed no more, POIs stay. */
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
        <Suspense fallback={null}>
          <RecordDelete base="/api/v1/sit-sources" queryKey={['sit']} record={source} title={source.name} asksUses={false} onClose={() => setAsking(false)} onDeleted={() => navigate({ to: '/settings/pois-sit/sources' })} />
        </Suspense>
      )}
    </>
  )
}
