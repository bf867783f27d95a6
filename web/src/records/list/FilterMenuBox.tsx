import { lazy, Suspense } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Checkbox, SelectInput, TextInput } from '@/ui/field/inputs'
import { useDebouncedText } from '@/ui/field/useDebouncedText'
import PopoverBox from '@/ui/menu/PopoverBox'
import type { Opening } from '@/ui/menu/useOpening'
import classes from './FilterBar.module.css'
import { rangeOf, rangeText, toggled, type FilterDef } from './filters'
import type { ListControl } from './useListState'

// Loaded only on lists with a filter by record.
const RecordPicker = lazy(() => import('@/records/picker/RecordPicker').then(({ RecordPicker: Picker }) => ({ default: Picker })))

/** The small window of the filters, each with its choices. */
export default function FilterMenuBox({ list, filters, opening }: { list: ListControl; filters: readonly FilterDef[]; opening: Opening }) {
  const { t } = useTranslation()
  return (
    <PopoverBox opening={opening} position="bottom-start" width={320} label={t('list.filter')} className={classes['menu']}>
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
    </PopoverBox>
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
