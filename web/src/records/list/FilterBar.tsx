import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { lazy, Suspense, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Checkbox, SelectInput, TextInput, type Choice } from '@/ui/field/inputs'
import { passFocusOn } from '@/ui/list/row-focus'
import { PopoverButton } from '@/ui/menu/PopoverButton'
import { useRecordChoices } from '@/records/picker/useRecordChoices'
import classes from './FilterBar.module.css'
import { chipText, rangeOf, rangeText, toggled, type FilterDef } from './filters'
import type { ListControl } from './useListState'
import { useDebouncedText } from '@/ui/field/useDebouncedText'

// Loaded only on lists with a filter by record.
const RecordPicker = lazy(() => import('@/records/picker/RecordPicker').then(({ RecordPicker: Picker }) => ({ default: Picker })))

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
        return filter.kind === 'record' ? (
          <RecordChip key={filter.key} filter={filter} value={value} onDrop={drop} />
        ) : (
          <FilterChip key={filter.key} words={chipText(filter, value)} onDrop={drop} />
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

/** While Enter is held down it presses again and again: each removed chip passes the focus to the next one, and all would be removed. */
const ignoreRepeat = (event: KeyboardEvent) => {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/** The chip of an active filter: pressing it removes the filter. */
function FilterChip({ words, onDrop }: { words: string; onDrop: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      ref={passFocusOn}
      type="button"
      className={classes['chip']}
      data-on
      aria-label={t('list.removeFilter', { filter: words })}
      onKeyDown={ignoreRepeat}
      onClick={onDrop}
    >
      {words}
      <IconX size={15} stroke={2} aria-hidden />
    </button>
  )
}

/** The chip of a filter by record: the address contains ids, the names are fetched. */
function RecordChip({ filter, value, onDrop }: { filter: Extract<FilterDef, { kind: 'record' }>; value: string; onDrop: () => void }) {
  const ids = value.split(',').map(Number).filter(Number.isInteger)
  const { nameOf } = useRecordChoices(filter, ids)
  const names = ids.flatMap((id) => nameOf(id) ?? [])
  return <FilterChip words={chipText(filter, value, names.length === 0 ? undefined : names.join(', '))} onDrop={onDrop} />
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
  return (
    <PopoverButton
      position="bottom-start"
      width={320}
      label={t('list.filter')}
      className={classes['menu']}
      button={
        <button type="button" className={classes['chip']} data-dash>
          <IconFilter size={16} stroke={1.75} aria-hidden />
          {t('list.filter')}
        </button>
      }
    >
      {() => (
        <>
          {filters.map((filter) => (
            <FilterChoices
              key={filter.key}
              filter={filter}
              value={list.filters[filter.key]}
              onChange={(value) => list.setFilter(filter.key, value)}
            />
          ))}
          <div className={classes['foot']}>
            <Button size="small" look="ghost" disabledReason={list.filterCount === 0 ? t('list.noFilter') : undefined} onClick={list.clear}>
              {t('list.clearFilters')}
            </Button>
          </div>
        </>
      )}
    </PopoverButton>
  )
}

function FilterChoices({
  filter,
  value,
  onChange,
}: {
  filter: FilterDef
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const { t } = useTranslation()
  if (filter.kind === 'switch')
    return (
      <Checkbox checked={value !== undefined} onChange={(on) => onChange(on ? (filter.value ?? 'true') : undefined)} label={filter.label} />
    )
  if (filter.kind === 'record')
    return (
      <Suspense fallback={null}>
        <RecordPicker
          label={filter.label}
          base={filter.base}
          queryKey={filter.queryKey}
          value={value === undefined ? null : Number(value)}
          onChange={(id) => onChange(id === null ? undefined : String(id))}
        />
      </Suspense>
    )
  if (filter.kind === 'one')
    return (
      <label className={classes['one']}>
        <span>{filter.label}</span>
        <SelectInput
          value={value ?? null}
          onChange={(next) => onChange(next ?? undefined)}
          choices={filter.choices}
          empty={t('list.any')}
        />
      </label>
    )
  if (filter.kind === 'words') return <WordsFilter label={filter.label} value={value} onChange={onChange} />
  if (filter.kind === 'range') return <RangeFilter label={filter.label} of={filter.of} value={value} onChange={onChange} />
  const chosen = value?.split(',') ?? []
  return (
    <details className={classes['many']} open={chosen.length > 0 || filter.choices.length <= 6}>
      <summary>
        {filter.label}
        {chosen.length > 0 && ` (${chosen.length})`}
      </summary>
      {filter.choices.map((choice) => (
        <div key={choice.value} style={{ paddingLeft: (choice.depth ?? 0) * 16 }}>
          <Checkbox checked={chosen.includes(choice.value)} onChange={() => onChange(toggled(value, choice.value))} label={choice.label} />
        </div>
      ))}
    </details>
  )
}

/** A text filter, applied after a pause in typing. */
function WordsFilter({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const typed = useDebouncedText(
    value ?? '',
    (words) => onChange(words === '' ? undefined : words),
    400,
    (words) => words.trim(),
  )
  return (
    <label className={classes['one']}>
      <span>{label}</span>
      <TextInput {...typed} />
    </label>
  )
}

/** A typed range in the form of the address; empty when both ends are empty. */
const cleanRange = (text: string): string => rangeText(...rangeOf(text)) ?? ''

/** The two ends of a range, either may be left open. */
function RangeFilter({
  label,
  of,
  value,
  onChange,
}: {
  label: string
  of: 'number' | 'date'
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const { t } = useTranslation()
  const {
    value: typed,
    onChange: write,
    ...rest
  } = useDebouncedText(value ?? '', (range) => onChange(range === '' ? undefined : range), 400, cleanRange)
  const [from, to] = rangeOf(typed)
  return (
    <fieldset className={classes['range']}>
      <legend>{label}</legend>
      <TextInput
        {...rest}
        type={of}
        step="any"
        aria-label={t('list.rangeFrom', { label })}
        value={from}
        onChange={(text) => write(`${text}..${to}`)}
      />
      <span aria-hidden="true">–</span>
      <TextInput
        {...rest}
        type={of}
        step="any"
        aria-label={t('list.rangeTo', { label })}
        value={to}
        onChange={(text) => write(`${from}..${text}`)}
      />
    </fieldset>
  )
}
