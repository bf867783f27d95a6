import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { SelectInput, type Choice } from '@/ui/field/inputs'
import { passFocusOn } from '@/ui/list/row-focus'
import { useOpening } from '@/ui/menu/useOpening'
import { prefetch } from '@/ui/prefetch'
import classes from './FilterBar.module.css'
import { FilterChip, ignoreRepeat } from './FilterChip'
import { chipText, type FilterDef } from './filters'
import type { ListControl } from './useListState'
import { useDebouncedText } from '@/ui/field/useDebouncedText'

// Loaded only on lists that are filtered by a record.
const RecordChip = lazy(async () => {
  try {
    return await import('./RecordChip')
  } catch {
    // Without the network the filter still shows, and can be removed, without the record's name.
    return { default: NamelessChip }
  }
})

function NamelessChip({ filter, value, onDrop }: { filter: FilterDef; value: string; onDrop: () => void }) {
  return <FilterChip words={chipText(filter, value)} onDrop={onDrop} />
}

const readMenu = prefetch(() => import('./FilterMenuBox'))

export interface FilterBarProps {
  list: ListControl
  filters: readonly FilterDef[]
  sorts?: readonly Choice[]
  /** The placeholder and the accessible name of the search field: « Rechercher un parcours ». */
  searchLabel: string
  /** Whether there is a search by words; a list without one is only filtered. */
  search?: boolean
  /** Additional chips: « Zone de la carte », « 12 masqués ». */
  children?: ReactNode
}

/** The search, the filters as chips that can each be removed, and the order. Their state is in the address. */
export function FilterBar({ list, filters, sorts = [], searchLabel, search = true, children }: FilterBarProps) {
  const { t } = useTranslation()
  return (
    <div className={classes['bar']} role="search" aria-label={searchLabel}>
      {search && <SearchField list={list} label={searchLabel} />}
      {filters.length > 0 && <FilterMenu list={list} filters={filters} />}
      {filters.map((filter) => {
        const value = list.filters[filter.key]
        if (value === undefined) return null
        const drop = () => list.setFilter(filter.key, undefined)
        const chip = <FilterChip key={filter.key} words={chipText(filter, value)} onDrop={drop} />
        return filter.kind === 'record' ? (
          <Suspense key={filter.key} fallback={chip}>
            <RecordChip filter={filter} value={value} onDrop={drop} />
          </Suspense>
        ) : (
          chip
        )
      })}
      {children}
      {sorts.length > 0 && (
        <label className={classes['sort']}>
          <span className="visually-hidden">{t('list.sortBy')}</span>
          <SelectInput value={list.sort} onChange={(sort) => sort !== null && list.setSort(sort)} choices={sorts} />
        </label>
      )}
    </div>
  )
}

/** A chip for a filter that only one page has; `on`: it is active. It may be removed when it is pressed. */
export function Chip({
  on = false,
  icon,
  onClick,
  children,
}: {
  on?: boolean
  icon?: ReactNode
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      ref={passFocusOn}
      type="button"
      className={classes['chip']}
      data-on={on || undefined}
      aria-pressed={on}
      onKeyDown={ignoreRepeat}
      onClick={onClick}
    >
      {icon}
      {children}
    </button>
  )
}

function SearchField({ list, label }: { list: ListControl; label: string }) {
  // The text is not sent when the field loses the focus, only after the pause: the list must not move while another element is pressed.
  const { onBlur: _, onChange, ...typed } = useDebouncedText(list.search, list.setSearch, 250)
  return (
    <span className={classes['search']}>
      <IconSearch size={16} stroke={1.75} aria-hidden />
      <input type="search" {...typed} placeholder={label} aria-label={label} onChange={(event) => onChange(event.target.value)} />
    </span>
  )
}

function FilterMenu({ list, filters }: { list: ListControl; filters: readonly FilterDef[] }) {
  const { t } = useTranslation()
  const { module, button, opening } = useOpening(
    readMenu,
    'dialog',
    <button type="button" className={classes['chip']} data-dash>
      <IconFilter size={16} stroke={1.75} aria-hidden />
      {t('list.filter')}
    </button>,
  )
  return (
    <>
      {button}
      {module && <module.default list={list} filters={filters} opening={opening} />}
    </>
  )
}
