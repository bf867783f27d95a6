import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { ParcoursRow } from '@/api/types'
import { payload } from '@/api/payload'
import { useCan, useMe } from '@/api/session'
import { ensureTexts, useTranslation } from '@/i18n'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { prefetch } from '@/ui/prefetch'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { MenuButton } from '@/ui/menu/MenuButton'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { useCustomList } from '@/records/custom-fields/useCustomList'
import { vocabularyQuery } from '@/records/form/vocabulary'
import { format, textOf } from '@/ui/format'
import { ColumnChoice, useColumnChoice, type ColumnControl } from '@/records/list/ColumnChoice'
import { Chip, FilterBar } from '@/records/list/FilterBar'
import { makeHighlight } from '@/records/list/highlight'
import { MapSwitch } from '@/ui/list/MapSwitch'
import { listQuery, readListState } from '@/records/list/list-state'
import { ResourceList } from '@/records/list/ResourceList'
import { SavedViews, type FixedView } from '@/records/list/SavedViews'
import { useSelection } from '@/records/list/selection'
import { useListState, type ListControl } from '@/records/list/useListState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import classes from './list/list.module.css'
import { ListMap } from './list/ListMap'
import { filtersOf, listConfig, parcoursListQuery, parcoursViewsQuery } from './list/queries'
import { RowMenu } from './list/RowMenu'
import { useColumns } from './list/useColumns'
import { useFilters } from './list/useFilters'

/** With its own texts, and those of errors, which it shows of single records. */
function withTexts<M>(read: () => Promise<M>, area: string): () => Promise<M> {
  return async () => (await Promise.all([read(), ensureTexts(area, 'errors')]))[0]
}

export const texts = ['parcours']
export const errorsLater = true

const RoadbooksDialog = lazyDialog(withTexts(() => import('./list/RoadbooksDialog'), 'roadbookRuns'))
const BulkActions = lazy(prefetch(withTexts(() => import('./list/BulkActions'), 'parcoursBulk')))

/** The rows are there before the page is shown; counts and the map come beside. */
export async function load({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }) {
  void queryClient.prefetchQuery(vocabularyQuery('practice_type'))
  await queryClient.ensureQueryData(parcoursListQuery(listQuery(readListState(search, listConfig), listConfig)))
}

const rowMenu = (row: ParcoursRow) => <RowMenu row={row} />

/** `/parcours` */
export function Page() {
  const { t } = useTranslation('parcours')
  const list = useListState(listConfig)
  const result = useQuery(parcoursListQuery(list.query))
  const custom = useCustomList<ParcoursRow>('parcours')
  const filters = [...useFilters(), ...custom.filters]
  const columns = useColumnChoice('parcours', [...useColumns(), ...custom.columns])
  const [highlight] = useState(makeHighlight)
  const [mapFirst, setMapFirst] = useState(false)
  // Where there is no room for both, the title says which of the two is shown.
  usePageMeta([{ label: t('crumb.contents') }, { label: t(mapFirst ? 'map.label' : 'list.title') }])
  const mayWrite = useCan('content.write')
  const { bbox, ...others } = filtersOf(list.query)
  const sorts = (['-updated_at', 'title', '-distance', 'reliability', '-priority'] as const).map((value) => ({
    value,
    label: t(`sort.${value}`),
  }))
  const create = mayWrite ? (
    <ButtonLink look="primary" to="/parcours/new" icon={<IconPlus size={18} stroke={1.75} aria-hidden />}>
      {t('list.new')}
    </ButtonLink>
  ) : (
    <Button look="primary" disabledReason={t('menu.readOnly')}>
      {t('list.new')}
    </Button>
  )
  // One primary button a screen: while there is nothing at all, the empty state holds it.
  const nothingYet = result.data?.items.length === 0 && list.filterCount === 0 && list.page === 1
  return (
    <div className={classes['page']} data-map={mapFirst || undefined}>
      <div className={classes['list']} data-scroller>
        <PageHeader
          title={t('list.title')}
          facts={<Counts list={list} />}
          actions={
            <>
              <ExportMenu list={list} />
              {!nothingYet && create}
            </>
          }
        >
          <Views list={list} columns={columns} />
        </PageHeader>
        <div className={classes['body']}>
          <FilterBar list={list} filters={filters} sorts={sorts} searchLabel={t('list.search')}>
            <ColumnChoice control={columns} />
            <Hidden list={list} hidden={result.data?.counts.hidden_by_progress ?? 0} />
          </FilterBar>
          <ResourceList
            label={t('list.title')}
            list={list}
            result={result}
            columns={columns.columns}
            rowId={(row) => row.id}
            rowName={(row) => textOf(row.title)}
            rowMenu={rowMenu}
            selectable={mayWrite}
            bulk={<BulkActions list={list} />}
            filters={filters}
            empty={<EmptyState title={t('empty.title')} text={t('empty.text')} actions={create} />}
            highlight={highlight}
          />
        </div>
      </div>
      <aside className={classes['aside']} aria-label={t('map.label')}>
        <ErrorIsland>
          <ListMap filters={others} bbox={bbox} onBbox={(box) => list.setFilter('bbox', box)} highlight={highlight} />
        </ErrorIsland>
      </aside>
      <MapSwitch map={mapFirst} onChange={setMapFirst} />
    </div>
  )
}

/** « 148 à Val d’Orsel, 31 partagés par d’autres »; of a list of one of the two, that number alone. */
function Counts({ list }: { list: ListControl }) {
  const { t } = useTranslation('parcours')
  const counts = useQuery(parcoursListQuery(list.query)).data?.counts
  const me = useMe()
  const here = me.white_labels.find(({ id }) => id === me.active_white_label_id)?.name ?? ''
  if (counts === undefined) return null
  const values = { mine: format.number(counts.mine), here, shared: format.number(counts.shared), count: counts.shared }
  const { owner } = list.query
  return <span>{t(owner === 'mine' ? 'list.countsMine' : owner === 'shared' ? 'list.countsShared' : 'list.counts', values)}</span>
}

/** The built-in views, each with its count; then the saved ones. */
function Views<R>({ list, columns }: { list: ListControl; columns: ColumnControl<R> }) {
  const { t } = useTranslation('parcours')
  const views = useQuery(parcoursViewsQuery).data
  const threshold = String(payload().reliability_threshold)
  const view = (key: 'all' | 'incomplete' | 'low', filters: Record<string, string>, count: number | undefined): FixedView => ({
    key,
    label: t(`view.${key}`, { threshold }),
    filters,
    count: count === undefined ? undefined : format.number(count),
  })
  return (
    <SavedViews
      resource="parcours"
      path="/parcours"
      list={list}
      columns={columns}
      fixed={[
        view('all', {}, views?.all),
        view('incomplete', { incomplete: 'true' }, views?.incomplete),
        view('low', { reliability_below: threshold }, views?.low_reliability),
      ]}
    />
  )
}

/** « 12 masqués »: a progress status hides; pressing it brings them back. */
function Hidden({ list, hidden }: { list: ListControl; hidden: number }) {
  const { t } = useTranslation('parcours')
  if (hidden === 0 || list.filters['progress'] !== undefined) return null
  return (
    <Chip icon={<IconEyeOff size={16} stroke={1.75} aria-hidden />} onClick={() => list.setFilter('progress', 'any')}>
      {t('list.hidden', { count: hidden })}
    </Chip>
  )
}

/** Exports the selected parcours, or all those of the filters. */
function ExportMenu({ list }: { list: ListControl }) {
  const { t } = useTranslation('parcours')
  const mayExport = useCan('content.export')
  const [printing, setPrinting] = useState(false)
  const { ids, everything } = useSelection(list.selection)
  const exportFilter = ids.size > 0 && !everything ? { ids: [...ids].join(','), progress: 'any' } : filtersOf(list.query)
  const address = (format: 'geojson' | 'csv') => `/api/v1/parcours/export.${format}?${new URLSearchParams(exportFilter).toString()}`
  if (!mayExport) return <Button disabledReason={t('menu.readOnly')}>{t('export.button')}</Button>
  const ticked = exportFilter['ids']?.split(',').length
  return (
    <>
      <MenuButton
        position="bottom-end"
        zIndex={150}
        button={<Button icon={<IconDownload size={18} stroke={1.75} aria-hidden />}>{t('export.button')}</Button>}
        entries={() => [
          ...(['geojson', 'csv'] as const).map((format) => ({ label: t(`export.${format}`), download: address(format) })),
          { label: t('export.roadbooks'), onSelect: () => setPrinting(true) },
        ]}
      />
      {printing && (
        <RoadbooksDialog
          request={{ filter: exportFilter }}
          chosen={ticked === undefined ? t('export.printAll') : t('export.printTicked', { count: ticked, total: format.number(ticked) })}
          onClose={() => setPrinting(false)}
        />
      )}
    </>
  )
}
