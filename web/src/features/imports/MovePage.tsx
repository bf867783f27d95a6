import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { textFor, useTranslation } from '@/i18n'
import type { ImportInventoryItem, ImportMapping, ImportRun, ImportSource } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { Switch } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { saveFile } from '@/ui/save-file'
import { problemText } from '@/records/problem-text'
import classes from './imports.module.css'
import { leftTable, mappingQuery, refresh, runsQuery, setSchedule, sourceQuery, threshold, useSource } from './imports'
import { RunBox, Start } from './Run'

export { texts } from './imports'

const lastRuns = (source: number) => ({ source, page: 1, per_page: 20 })

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = Number(params['id'])
  await Promise.all([
    queryClient.ensureQueryData(sourceQuery(id)),
    queryClient.ensureQueryData(mappingQuery(id)),
    queryClient.ensureQueryData(runsQuery(lastRuns(id))),
  ])
}

/** `/settings/demenagement/{id}`: what a Geotrek has, what is to be decided, the import, the daily update until the switch. */
export function Page() {
  const { t } = useTranslation('imports')
  const { id: written } = useParams({ strict: false })
  const id = Number(written)
  const { source, runs, mapping } = useSource(id, lastRuns(id))
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('move.title'), link: { to: '/settings/demenagement' } },
    { label: source?.name ?? '' },
  ])
  if (source === undefined || mapping === undefined || runs === undefined) return <Skeleton height={220} />
  return <Move key={id} source={source} mapping={mapping} runs={runs} />
}

interface MoveProps {
  source: ImportSource
  mapping: ImportMapping
  /** The newest first. */
  runs: readonly ImportRun[]
}

function Move({ source, mapping, runs }: MoveProps) {
  const { t } = useTranslation('imports')
  const last = runs[0]
  const report = runs.find(({ mode, state }) => mode === 'dry' && state === 'done')
  const imported = runs.some(({ mode, state, undone_at: undone }) => mode === 'real' && state === 'done' && undone === null)
  return (
    <div className={classes['page']}>
      <PageHeader
        title={source.name}
        facts={source.url ?? (source.file === null ? '' : t('move.fromArchive', { name: source.file.name }))}
        actions={
          <>
            <ButtonLink size="small" to="/settings/imports-parcours/$id" params={{ id: String(source.id) }}>
              {t('move.settings')}
            </ButtonLink>
            <Start source={source.id} running={last?.state === 'running'} dryLabel={t('move.dry')} startLabel={t('move.start')} />
          </>
        }
      />
      <div className={classes['body']}>
        {last && <RunBox run={last} />}
        {report !== undefined && (
          <Card title={t('move.decide')}>
            <Decisions source={source} mapping={mapping} report={report} />
          </Card>
        )}
        <Card title={t('move.report')}>
          <Report source={source} report={report} counting={last?.state === 'running' && last.mode === 'dry'} />
        </Card>
        <Card title={t('move.afterTitle')}>
          <div className={classes['moveForm']}>
            <p className="small muted">{t(source.url === null ? 'move.afterArchive' : 'move.afterText')}</p>
            {source.url !== null && <Nightly source={source} imported={imported} />}
            <h3>{t('move.addresses')}</h3>
            <p className="small muted">{t('move.addressesText')}</p>
          </div>
        </Card>
      </div>
    </div>
  )
}

const listName = (list: string): string => textFor(`imports:move.lists.${list}`) ?? list

/** What the server has, list by list. */
function Report({ source, report, counting }: { source: ImportSource; report: ImportRun | undefined; counting: boolean }) {
  const { t } = useTranslation('imports')
  if (report === undefined) return <p className="muted">{t(counting ? 'move.counting' : 'move.noReport')}</p>
  const lists = report.inventory
  const shown = lists.filter(({ count }) => (count ?? 0) > 0)
  return (
    <div className={classes['moveForm']}>
      <p className="small muted">{t('move.reportText')}</p>
      <table className={classes['inventory']}>
        <thead>
          <tr>
            <th scope="col">{t('move.list')}</th>
            <th scope="col">{t('move.count')}</th>
            <th scope="col">{t('move.becomes')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <Row key={item.list} item={item} source={source} />
          ))}
        </tbody>
      </table>
      {lists.some(({ place, count }) => place === 'nowhere' && (count ?? 0) > 0) && <LeftOut run={report} />}
      {lists.some(({ place, count }) => place === 'sit' && (count ?? 0) > 0) && (
        <p className="small">
          {t('move.others')} <Link to="/settings/pois-sit/sources/new">{t('move.othersLink')}</Link>
        </p>
      )}
      <Others words="move.empty" lists={lists.filter(({ count }) => count === 0)} />
      <Others words="move.uncounted" lists={lists.filter(({ count }) => count === null)} />
    </div>
  )
}

/** What has no place here, item by item, as a file. */
function LeftOut({ run }: { run: ImportRun }) {
  const { t } = useTranslation('imports')
  const save = useMutation({
    mutationFn: () => leftTable(run.id, [t('move.csvItem'), t('move.csvName'), t('move.csvList'), t('move.csvAddress')]),
    onSuccess: (file) => saveFile(file, `geotrek-${run.id}.csv`),
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <div className={classes['actions']}>
      <Button size="small" busy={save.isPending} onClick={() => save.mutate()}>
        {t('move.export')}
      </Button>
    </div>
  )
}

/** Lists from which nothing is imported, by name. */
function Others({ words, lists }: { words: 'move.empty' | 'move.uncounted'; lists: readonly ImportInventoryItem[] }) {
  const { t } = useTranslation('imports')
  if (lists.length === 0) return null
  return (
    <details className="small">
      <summary>{t(words, { count: lists.length })}</summary>
      <p className="muted">{lists.map(({ list }) => listName(list)).join(', ')}</p>
    </details>
  )
}

function Row({ item, source }: { item: ImportInventoryItem; source: ImportSource }) {
  const { t } = useTranslation('imports')
  const { list, count, place } = item
  const server = source.url ?? source.host
  return (
    <tr data-place={place}>
      <th scope="row">{listName(list)}</th>
      <td className="num">{format.number(count ?? 0)}</td>
      <td>
        {t(`move.place.${place}`)}
        {place === 'nowhere' && server !== null && (
          <>
            {' · '}
            <a
              href={listAddress(server, list)}
              target="_blank"
              rel="noreferrer"
              aria-label={t('move.seeThereOf', { list: listName(list) })}
            >
              {t('move.seeThere')}
            </a>
          </>
        )}
      </td>
    </tr>
  )
}

/** The address of a list of Geotrek's API, however the source's address is written. */
export function listAddress(url: string, list: string): string {
  const base = url
    .replace(/\?.*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/trek$/, '')
  return `${base.endsWith('/api/v2') ? base : `${base}/api/v2`}/${list}/`
}

/** What a person should look at before the import. */
function Decisions({ source, mapping, report }: { source: ImportSource; mapping: ImportMapping; report: ImportRun }) {
  const { t } = useTranslation('imports')
  const { to_merge: alike, refused, unreliable } = report.counts
  const log = { to: '/settings/logs-imports-parcours/$id', params: { id: String(report.id) } } as const
  if (mapping.waiting + alike + refused + unreliable === 0) return <p className="muted">{t('move.nothing')}</p>
  return (
    <ul className={classes['decisions']}>
      {mapping.waiting > 0 && (
        <li>
          <Link to="/settings/imports-parcours/$id" params={{ id: String(source.id) }} search={{ tab: 'mapping' }}>
            {t('move.words', { count: mapping.waiting })}
          </Link>
        </li>
      )}
      {alike > 0 && (
        <li>
          <Link {...log} search={{ only: 'to_merge' }}>
            {t('move.merge', { count: alike })}
          </Link>
        </li>
      )}
      {refused > 0 && (
        <li>
          <Link {...log} search={{ only: 'refused' }}>
            {t('move.refused', { count: refused })}
          </Link>
        </li>
      )}
      {unreliable > 0 && (
        <li>
          <Link {...log} search={{ only: 'unreliable' }}>
            {t('move.unreliable', { count: unreliable, threshold: threshold() })}
          </Link>
        </li>
      )}
    </ul>
  )
}

/** The daily update. It begins after the first import. */
function Nightly({ source, imported }: { source: ImportSource; imported: boolean }) {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  // What was asked for shows at once; a refusal puts it back.
  const [wanted, setWanted] = useState<boolean>()
  const change = useMutation({
    mutationFn: (daily: boolean) => setSchedule(source, daily ? 'daily' : 'never'),
    onSuccess: async (saved) => {
      toast({ text: t(saved.schedule === 'never' ? 'move.nightlyOff' : 'move.nightlyOn') })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
    onSettled: () => setWanted(undefined),
  })
  return (
    <Switch
      label={t('move.nightly')}
      checked={wanted ?? source.schedule !== 'never'}
      onChange={(daily) => {
        setWanted(daily)
        change.mutate(daily)
      }}
      disabled={change.isPending}
      hint={imported ? t(`every.${source.schedule}`) : t('hint.schedule')}
    />
  )
}
