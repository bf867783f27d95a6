import { Link, type LinkProps } from '@tanstack/react-router'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { type CSSProperties, memo, type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { passFocusOn } from '@/ui/list/row-focus'
import type { PlaceLink } from '@/ui/place-link'
import { useLatest } from '@/ui/useLatest'
import { useSame } from '@/ui/useSame'
import { problemText } from '@/records/problem-text'
import { Pager } from '@/ui/list/Pager'
import { BulkPlace } from './BulkBar'
import classes from './ResourceList.module.css'
import type { FilterDef } from './filters'
import { makeHighlight, useIsHighlighted, type HighlightStore } from './highlight'
import { useIsTicked, useTickedOf, makeSelection, type SelectionStore } from './selection'
import { LoadingRows, NothingLeft, PastTheEnd } from './states'
import type { ListControl } from './useListState'

export interface Column<R> {
  key: string
  /** Hidden until the user adds it. */
  optional?: boolean
  header: ReactNode
  /** The API's word for the order of this column; without it the heading can't be pressed. */
  sort?: string
  /** CSS width; the column without one takes the rest. */
  width?: string
  /** On a phone: in the row's first line, in its second, or not at all. */
  phone?: 'main' | 'aside' | 'hidden'
  render: (row: R) => ReactNode
}

/** The text of an empty cell; on a phone the cell is left out. */
export const blank = '–'

/** What TanStack Query knows of the page of rows. */
export interface ListResult<R> {
  data: { items: R[]; total: number; total_capped?: boolean } | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

export interface ResourceListProps<R> {
  /** The name of the table for screen readers. */
  label: string
  list: ListControl
  result: ListResult<R>
  columns: readonly Column<R>[]
  rowId: (row: R) => number
  rowName: (row: R) => string
  /** The menu of a row, in its last column. */
  rowMenu?: (row: R) => ReactNode
  /** Whether rows can be ticked. */
  selectable?: boolean
  /** The actions over the ticked rows. */
  bulk?: ReactNode
  filters?: readonly FilterDef[]
  /** How many records there would be without each filter, by its key; shown when the list is empty. */
  without?: Partial<Record<string, number>>
  /** Shown when there is no record at all. */
  empty: ReactNode
  /** The record under the pointer, here or on the map. */
  highlight?: HighlightStore
  /** Replaces the pager: the foot of a list with infinite scrolling. */
  foot?: ReactNode
  /** Replaces the table: the same rows as cards. */
  body?: ReactNode
}

/** A table of records: order, ticks, pages, and its five states. State lives in the address (`useListState`). */
export function ResourceList<R>(props: ResourceListProps<R>) {
  const { list, result, label } = props
  const { t } = useTranslation()
  const { data, error } = result
  if (error && data === undefined) {
    return (
      <div className={classes['state']}>
        <Banner
          tone="danger"
          live="alert"
          actions={
            <Button size="small" onClick={() => void result.refetch()}>
              {t('retry')}
            </Button>
          }
        >
          {problemText(error)}
        </Banner>
      </div>
    )
  }
  if (data === undefined) return <LoadingRows label={label} />
  if (data.items.length === 0 && list.page > 1) return <PastTheEnd list={list} />
  if (data.items.length === 0)
    return <div className={classes['state']}>{list.filterCount === 0 ? props.empty : <NothingLeft {...props} />}</div>
  return (
    <div className={classes['whole']} data-list>
      <Frame busy={result.isFetching}>
        {Boolean(error) && (
          <div className={classes['state']}>
            <Banner tone="danger" live="alert">
              {problemText(error)}
            </Banner>
          </div>
        )}
        {props.body ?? <LateRows {...props} rows={data.items} />}
        {props.foot ?? <Pager list={list} total={data.total} capped={data.total_capped ?? false} shown={data.items.length} />}
        <p className="visually-hidden" role="status">
          {result.isFetching ? t('loading') : t('list.count', { count: data.total, total: format.number(data.total) })}
        </p>
      </Frame>
      {/* After the frame, which scrolls sideways: the bar stays in sight above the end of the page. */}
      {Boolean(props.bulk) && (
        <BulkPlace list={list} bulk={props.bulk} ids={data.items.map((row) => props.rowId(row))} total={data.total} />
      )}
    </div>
  )
}

/** Rows become paler when their request takes longer than this, ms. */
const SLOW_MS = 150

/** The frame of the rows. What it holds is not rendered again when the rows become paler. */
function Frame({ busy, children }: { busy: boolean; children: ReactNode }) {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!busy) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [busy])
  return (
    <div className={classes['frame']} aria-busy={busy || undefined} data-slow={(busy && slow) || undefined}>
      {children}
    </div>
  )
}

/** Highlight of lists without a map. */
const alone = makeHighlight()

interface RowProps<R> {
  row: R
  id: number
  columns: readonly Column<R>[]
  highlight: HighlightStore
  /** Selection of lists whose rows can be ticked. */
  selection: SelectionStore | undefined
  nameOf: (row: R) => string
  menuOf: ((row: R) => ReactNode) | undefined
}

/** A row. It is rendered again when its record changes; when its tick or its highlight changes, its cells are not. */
const Row = memo(function Row<R>({ row, id, columns, highlight, selection = untickable, nameOf, menuOf }: RowProps<R>) {
  const isHighlighted = useIsHighlighted(highlight, id)
  const ticked = useIsTicked(selection, id)
  return (
    <tr
      ref={passFocusOn}
      data-id={id}
      data-chosen={ticked || undefined}
      data-lit={isHighlighted || undefined}
      onMouseEnter={() => highlight.set(id)}
      onMouseLeave={() => highlight.set(null)}
      onFocus={() => highlight.set(id)}
    >
      {selection !== untickable && <Tick id={id} ticked={ticked} selection={selection} name={nameOf(row)} />}
      <Cells row={row} columns={columns} menuOf={menuOf} />
    </tr>
  )
}) as <R>(props: RowProps<R>) => ReactNode

/** The selection of lists whose rows cannot be ticked. */
const untickable = makeSelection()

const Tick = memo(function Tick({ id, ticked, selection, name }: { id: number; ticked: boolean; selection: SelectionStore; name: string }) {
  const { t } = useTranslation()
  return (
    <td className={classes['tick']}>
      <Checkbox bare checked={ticked} onChange={() => selection.toggle(id)} label={t('list.tick', { name })} />
    </td>
  )
})

const Cells = memo(function Cells<R>({ row, columns, menuOf }: Pick<RowProps<R>, 'row' | 'columns' | 'menuOf'>) {
  return (
    <>
      {columns.map((column) => {
        const shown = column.render(row)
        return (
          <td key={column.key} data-phone={column.phone ?? 'aside'} data-blank={shown === blank || undefined}>
            {shown}
          </td>
        )
      })}
      {menuOf && <td className={classes['menu']}>{menuOf(row)}</td>}
    </>
  )
}) as <R>(props: Pick<RowProps<R>, 'row' | 'columns' | 'menuOf'>) => ReactNode

/** Ticks all rows of the page, or none. */
function PageTick({ ids, selection }: { ids: readonly number[]; selection: SelectionStore }) {
  const { t } = useTranslation()
  const ticked = useTickedOf(selection, ids)
  return (
    <th className={classes['tick']} scope="col">
      <Checkbox
        bare
        checked={ticked === 'all'}
        indeterminate={ticked === 'some'}
        onChange={() => selection.togglePage(ids)}
        label={t('list.tickPage')}
      />
    </th>
  )
}

/** The minimum width of the column of names, and of a column whose width is in percent. */
const [NAME_PX, SHARE_PX] = [180, 96]

/** Below this width, in pixels, columns would become too narrow: the table then scrolls sideways in its frame. */
function leastWidth<R>(columns: readonly Column<R>[]): number {
  return columns.reduce(
    (sum, { width }) => sum + (width === undefined ? NAME_PX : width.endsWith('px') ? Number.parseFloat(width) : SHARE_PX),
    0,
  )
}

/** Other rows come after what was pressed has been painted, a few in each task: a hundred take longer than a frame. */
function LateRows<R>(props: ResourceListProps<R> & { rows: R[] }) {
  return <Rows {...props} rows={useDeferredValue(props.rows)} />
}

function Rows<R>({
  rows,
  label,
  list,
  columns: given,
  rowId,
  rowName,
  rowMenu,
  selectable = false,
  highlight = alone,
}: ResourceListProps<R> & { rows: R[] }) {
  const { t } = useTranslation()
  const ids = rows.map(rowId)
  const columns = useSame(given)
  const nameOf = useLatest(rowName)
  return (
    <table className={classes['table']} style={{ '--least': `${leastWidth(columns)}px` } as CSSProperties}>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr ref={passFocusOn}>
          {selectable && <PageTick ids={ids} selection={list.selection} />}
          {columns.map((column) => (
            <Heading key={column.key} column={column} list={list} />
          ))}
          {rowMenu && (
            <th className={classes['menu']} scope="col">
              <span className="visually-hidden">{t('list.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = rowId(row)
          return (
            <Row
              key={id}
              row={row}
              id={id}
              columns={columns}
              highlight={highlight}
              selection={selectable ? list.selection : undefined}
              nameOf={nameOf}
              menuOf={rowMenu}
            />
          )
        })}
      </tbody>
    </table>
  )
}

function Heading<R>({ column, list }: { column: Column<R>; list: ListControl }) {
  const by = column.sort
  const on = by !== undefined && list.sort.replace(/^-/, '') === by
  const down = list.sort.startsWith('-')
  const style = column.width === undefined ? undefined : { width: column.width }
  if (by === undefined) {
    return (
      <th scope="col" style={style}>
        {column.header}
      </th>
    )
  }
  const Arrow = down ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" style={style} aria-sort={on ? (down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={classes['heading']} onClick={() => list.sortBy(by)}>
        {column.header}
        {on && <Arrow size={14} stroke={2} aria-hidden />}
      </button>
    </th>
  )
}

/** The name of a row as a link to the record; the whole cell can be clicked. */
export function RowLink({ link, children, title }: { link: PlaceLink; children: ReactNode; title?: string }) {
  return (
    <Link {...(link as LinkProps)} className={classes['link']} title={title}>
      {children}
    </Link>
  )
}
