import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { CatalogueRecord } from '@/api/resource'
import { useCan, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { prefetch } from '@/ui/prefetch'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import type { Choice } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import type { BulkAction } from '@/records/list/BulkActions'
import { ColumnChoice, useColumnChoice } from '@/records/list/ColumnChoice'
import { FilterBar } from '@/records/list/FilterBar'
import { makeHighlight } from '@/records/list/highlight'
import { MapSwitch } from '@/ui/list/MapSwitch'
import type { FilterDef } from '@/records/list/filters'
import { ResourceList, type Column } from '@/records/list/ResourceList'
import { SavedViews } from '@/records/list/SavedViews'
import { useListState, type ListControl } from '@/records/list/useListState'
import { TableMenu } from '@/records/table/lazy'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { columnLabelOf, newOf, type ListDef } from './define'
import { listOf } from './queries'
import classes from './resource.module.css'
import { RowMenu } from './RowMenu'

const BulkActions = lazy(prefetch(() => import('@/records/list/BulkActions')))

type Row = { id: number; version: number }

interface ListPageProps<R extends CatalogueRecord, L extends Row> {
  def: ListDef<R, L>
  all: readonly Column<L>[]
  filters: readonly FilterDef[]
  sorts: readonly Choice[]
  bulk: readonly BulkAction[]
}

/** The list of a resource: counts, views, filters, table, map, and what can be done to the ticked rows. */
export function ListPage<R extends CatalogueRecord, L extends Row>({ def, all, filters, sorts, bulk }: ListPageProps<R, L>) {
  const { t } = useTranslation('resource')
  const { kind, list: own } = def
  const title = t(`entity.${kind}.many`)
  const list = useListState(own.config)
  const result = useQuery(listOf(def, list.query))
  const columns = useColumnChoice(kind, all, own.hidden)
  const mayWrite = useCan(def.may)
  const [highlight] = useState(makeHighlight)
  const [asideFirst, setAsideFirst] = useState(false)
  // On a narrow window, the title says whether the list or the map is shown.
  usePageMeta([
    { label: t(`group.${def.group}`), ...(def.group === 'settings' ? { link: { to: '/settings' } } : {}) },
    { label: asideFirst ? t('mapOf', { what: title }) : title },
  ])
  const { Aside, Body, Actions } = own
  const rowMenu = useCallback((row: L) => <RowMenu def={def} row={row} />, [def])
  const rows = result.data?.items ?? []
  const create = def.abilities.create !== false && <CreateButton def={def} />
  // A screen has one primary button: while there are no records, it is in the empty state.
  const nothingYet = result.data?.items.length === 0 && list.filterCount === 0 && list.page === 1
  const page = (
    // Beside a map the list scrolls, not the page.
    <div className={classes['page']} data-scroller={Aside !== undefined || undefined}>
      <PageHeader
        title={title}
        facts={<Counts def={def} list={list} />}
        actions={
          <>
            {Actions && <Actions />}
            {own.table !== undefined && (
              <TableMenu
                base={def.base}
                queryKey={def.queryKey}
                may={own.table}
                list={list}
                labelOf={(column) => columnLabelOf(def.area, column)}
              />
            )}
            {!nothingYet && create}
          </>
        }
      >
        <SavedViews resource={def.base.replace('/api/v1/', '')} path={def.path} list={list} columns={columns} />
      </PageHeader>
      <div className={classes['body']}>
        <FilterBar list={list} filters={filters} sorts={sorts} searchLabel={t(`entity.${kind}.search`)}>
          {Body === undefined && <ColumnChoice control={columns} />}
        </FilterBar>
        <ResourceList
          label={title}
          list={list}
          result={result}
          columns={columns.columns}
          rowId={(row) => row.id}
          rowName={(row) => def.titleOf(row)}
          rowMenu={rowMenu}
          selectable={mayWrite && bulk.length > 0}
          bulk={bulk.length > 0 && <BulkActions base={def.base} queryKey={def.queryKey} actions={bulk} list={list} />}
          filters={filters}
          empty={<EmptyState title={t(`entity.${kind}.none`)} text={t(`entity.${kind}.noneText`)} actions={create || undefined} />}
          highlight={highlight}
          {...(Body === undefined ? {} : { body: <Body rows={rows} selection={list.selection} /> })}
        />
      </div>
    </div>
  )
  if (Aside === undefined) return page
  return (
    <div className={classes['split']} data-aside-first={asideFirst || undefined}>
      {page}
      <aside className={classes['aside']} aria-label={t('map')}>
        <ErrorIsland>
          <Suspense fallback={null}>
            <Aside query={list.query} highlight={highlight} onFilter={list.setFilter} />
          </Suspense>
        </ErrorIsland>
      </aside>
      <MapSwitch map={asideFirst} onChange={setAsideFirst} />
    </div>
  )
}

/** « 148 à Val d’Orsel, 31 partagés par d’autres », of a list of one of the two that number alone; « 12 » where records have no owner. */
function Counts<R extends CatalogueRecord, L extends Row>({ def, list }: { def: ListDef<R, L>; list: ListControl }) {
  const { t } = useTranslation('resource')
  const me = useMe()
  const data = useQuery(listOf(def, list.query)).data
  if (data === undefined) return null
  const here = me.white_labels.find(({ id }) => id === me.active_white_label_id)?.name ?? ''
  if (data.counts !== undefined) {
    const { mine, shared } = data.counts
    const values = { mine: format.number(mine), here, shared: format.number(shared), count: shared }
    const { owner } = list.query
    return <span>{t(owner === 'mine' ? 'countsMine' : owner === 'shared' ? 'countsShared' : 'counts', values)}</span>
  }
  const total = format.number(data.total)
  return <span>{data.total_capped ? t('common:list.moreThan', { total }) : t('common:list.count', { count: data.total, total })}</span>
}

function CreateButton<R extends CatalogueRecord, L extends Row>({ def }: { def: ListDef<R, L> }) {
  const { t } = useTranslation('resource')
  const mayWrite = useCan(def.mayMake ?? def.may)
  const words = t(`entity.${def.kind}.new`)
  if (!mayWrite)
    return (
      <Button look="primary" disabledReason={t('notAllowed')}>
        {words}
      </Button>
    )
  return (
    <ButtonLink look="primary" to={newOf(def)} icon={<IconPlus size={18} stroke={1.75} aria-hidden />}>
      {words}
    </ButtonLink>
  )
}
