import { MultiSelect, Select } from '@mantine/core'
import { useTranslation } from '@/i18n'
import { Field, type FieldProps, type Wiring } from '@/ui/field/Field'
import { FirstFound } from '@/ui/select/FirstFound'
import { useEnter } from '@/ui/select/useEnter'
import { useMantineWiring } from '@/ui/select/useMantineWiring'
import { useRecordChoices, type Source } from './useRecordChoices'

const look = { zIndex: 300, shadow: 'md' } as const

interface OneProps extends Source {
  wiring: Wiring
  value: number | null
  onChange: (id: number | null) => void
  placeholder?: string
}

/** One record, found by typing. */
export function PickOne({ wiring, value, onChange, placeholder, ...source }: OneProps) {
  const { t } = useTranslation()
  const wired = useMantineWiring(wiring)
  const { data, filter, found, setSearch, mayTake, isSettled } = useRecordChoices(source, value === null ? [] : [value])
  return (
    <>
      <Select
        {...wired}
        {...useEnter(mayTake, !isSettled)}
        placeholder={placeholder ?? ''}
        searchable
        clearable
        filter={filter}
        data={data}
        value={value === null ? null : String(value)}
        onChange={(next) => onChange(next === null ? null : Number(next))}
        onSearchChange={setSearch}
        nothingFoundMessage={t('form.nothingFound')}
        clearButtonProps={{ 'aria-label': t('form.clear') }}
        comboboxProps={look}
        maxDropdownHeight={280}
      />
      <FirstFound {...found} />
    </>
  )
}

/** Several records, in the order they were chosen. */
export function PickMany({
  wiring,
  value,
  onChange,
  ...source
}: Omit<OneProps, 'value' | 'onChange' | 'placeholder'> & { value: readonly number[]; onChange: (ids: number[]) => void }) {
  const { t } = useTranslation()
  const wired = useMantineWiring(wiring)
  const { data, filter, found, search, setSearch, mayTake, isSettled } = useRecordChoices(source, value)
  return (
    <>
      <MultiSelect
        {...wired}
        {...useEnter(mayTake, !isSettled)}
        searchable
        clearable
        filter={filter}
        data={data}
        value={value.map(String)}
        onChange={(next) => onChange(next.map(Number))}
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage={t('form.nothingFound')}
        clearButtonProps={{ 'aria-label': t('form.clear') }}
        comboboxProps={look}
        maxDropdownHeight={280}
      />
      <FirstFound {...found} />
    </>
  )
}

/** One record with its label, outside a form. */
export function RecordPicker({
  label,
  value,
  onChange,
  ...source
}: Source & Pick<FieldProps, 'label'> & { value: number | null; onChange: (id: number | null) => void }) {
  return <Field label={label}>{(wiring) => <PickOne wiring={wiring} value={value} onChange={onChange} {...source} />}</Field>
}
