import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useInfiniteQuery, type QueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { ButtonAnchor } from '@/ui/button/Button'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { format } from '@/ui/format'
import { FilterBar } from '@/records/list/FilterBar'
import type { FilterDef } from '@/records/list/filters'
import { readListState } from '@/records/list/list-state'
import { LoadMore } from '@/ui/list/LoadMore'
import { blank, ResourceList, type Column } from '@/records/list/ResourceList'
import { useListState } from '@/records/list/useListState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { labelOf } from '@/records/resource/define'
import { placeOf, recordKinds } from '@/records/resource/kinds'
import resourceClasses from '@/records/resource/resource.module.css'
import type { AuditEvent } from '@/api/types'
import { actions, areaOf, queryOf, config, csvAddress, eventsQuery, outcomes, toneOf } from './journal'
import classes from './journal.module.css'

export const texts = ['settings', 'resource', 'people', 'journal', 'jobs']

export const load = ({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }) =>
  queryClient.ensureInfiniteQueryData(eventsQuery(queryOf(readListState(search, config).filters)))

/** `/settings/journal`: who did what, from where, and what came of it. */
export function Page() {
  const { t } = useTranslation('journal')
  const me = useMe()
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title') }])
  const list = useListState(config)
  const query = queryOf(list.filters)
  const result = useInfiniteQuery(eventsQuery(query))
  const items = result.data?.pages.flatMap((page) => page.items)
  const filters: FilterDef[] = [
    { key: 'period', label: t('filter.period'), kind: 'range', of: 'date' },
    { key: 'actor', label: t('filter.actor'), kind: 'record', base: '/api/v1/users', queryKey: ['user'] },
    { key: 'action', label: t('filter.action'), kind: 'one', choices: actions.map((value) => ({ value, label: t(`action.${value}`) })) },
    {
      key: 'outcome',
      label: t('filter.outcome'),
      kind: 'many',
      choices: outcomes.map((value) => ({ value, label: t(`outcome.${value}`) })),
    },
    {
      key: 'kind',
      label: t('filter.kind'),
      kind: 'one',
      choices: recordKinds.map((value) => ({ value, label: t(`resource:use.${value}`) })),
    },
    { key: 'record', label: t('filter.record'), kind: 'words' },
  ]
  const columns: Column<AuditEvent>[] = [
    { key: 'action', header: t('column.action'), phone: 'main', render: (event) => <What event={event} /> },
    {
      key: 'outcome',
      header: t('column.outcome'),
      width: '110px',
      render: ({ outcome }) => <Badge tone={toneOf[outcome]}>{t(`outcome.${outcome}`)}</Badge>,
    },
    {
      key: 'actor',
      header: t('column.actor'),
      width: '18%',
      render: ({ actor, structure }) => <Who actor={actor} structure={me.role === 'superadmin' ? structure?.name : undefined} />,
    },
    {
      key: 'record',
      header: t('column.record'),
      width: '18%',
      render: ({ record }) => (record === null ? blank : <Where record={record} />),
    },
    {
      key: 'at',
      header: t('column.at'),
      width: '16%',
      render: ({ at, network, request_id: request }) => (
        <span className={classes['cell']} title={t('request', { id: request })}>
          <time dateTime={at}>{format.instant(at)}</time>
          {network !== null && <span className="small muted">{network}</span>}
        </span>
      ),
    },
  ]
  return (
    <div className={resourceClasses['page']}>
      <PageHeader
        title={t('title')}
        facts={t('lead')}
        actions={
          <ButtonAnchor href={csvAddress(query)} download icon={<IconDownload size={18} stroke={1.75} aria-hidden />}>
            {t('csv')}
          </ButtonAnchor>
        }
      />
      <div className={resourceClasses['body']}>
        <FilterBar list={list} filters={filters} searchLabel={t('filters')} search={false} />
        <ResourceList
          label={t('title')}
          list={list}
          filters={filters}
          result={{ ...result, data: items === undefined ? undefined : { items, total: items.length } }}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ action }) => t(`action.${action}`)}
          empty={<EmptyState title={t('empty')} text={t('emptyText')} />}
          foot={<LoadMore pages={result} more={t('older')} end={t('end')} />}
        />
      </div>
    </div>
  )
}

/** The action, and under it what else is known of it. */
function What({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('journal')
  const { action, detail } = event
  const roleName = (role: string) => textFor(`people:role.${role}`) ?? role
  const more = () => {
    switch (detail.type) {
      case 'none':
        return undefined
      case 'roles':
        return t('detail.roles', { before: roleName(detail.before), after: roleName(detail.after) })
      case 'fields':
        return t('detail.fields', { names: format.list(detail.names.map((name) => labelOf(areaOf(event), name))) })
      case 'exported':
        return t('detail.exported', { list: textFor(`journal:list.${detail.list}`) ?? detail.list, count: detail.count })
      case 'count':
        return t('detail.count', { count: detail.count })
      case 'into':
        return t('detail.into', { id: detail.id })
      case 'job':
        return textFor('jobs:name', { kind: textFor(`jobs:kind.${detail.kind}`) ?? detail.kind, id: detail.id })
      case 'operation':
        return detail.operation
    }
  }
  const words = more()
  return (
    <span className={classes['cell']}>
      <strong>{t(`action.${action}`)}</strong>
      {words !== undefined && words !== '' && <span className={`small muted ${classes['detail']}`}>{words}</span>}
    </span>
  )
}

/** The person, also when their account is gone. */
function Who({ actor, structure }: { actor: AuditEvent['actor']; structure: string | undefined }) {
  const { t } = useTranslation('journal')
  const named = actor?.name ?? (actor === null ? t('nobody') : t('erased', { id: actor.id }))
  return (
    <span className={classes['cell']}>
      {actor === null || actor.gone ? (
        <span className={actor === null ? 'muted' : undefined}>{named}</span>
      ) : (
        <Link to="/settings/users/$id" params={{ id: String(actor.id) }}>
          {named}
        </Link>
      )}
      {actor?.gone === true && actor.name !== null && <span className="small muted">{t('gone')}</span>}
      {structure !== undefined && <span className="small muted">{structure}</span>}
    </span>
  )
}

/** The record, as a link where the reader may open it. */
function Where({ record: { kind, id, visible } }: { record: NonNullable<AuditEvent['record']> }) {
  const { t } = useTranslation('journal')
  const words = t('record', { kind: t(`resource:use.${kind}`), id })
  const place = visible ? placeOf(kind, id) : undefined
  return place === undefined ? <span>{words}</span> : <Link to={place}>{words}</Link>
}
