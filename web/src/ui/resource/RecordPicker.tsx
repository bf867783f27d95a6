import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceApi } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { Field, type FieldProps, type Wiring } from '@/ui/field/Field'
import { recordName } from './record-name'

type Named = { id: number } & Record<string, unknown>
interface Source {
  base: string
  queryKey: readonly string[]
  /** Never offered: the record itself. */
  without?: number | undefined
  query?: Record<string, string>
}

/** The records of a resource that a search finds, and the ones already chosen. */
export function useRecordChoices({ base, queryKey, without, query = {} }: Source, chosen: readonly number[]) {
  const [search, setSearch] = useState('')
  const [words] = useDebouncedValue(search, 200)
  const found = useQuery({
    queryKey: [...queryKey, 'list', 'pick', query, words],
    queryFn: () => resourceApi<Named>(base).list({ ...query, search: words === '' ? undefined : words, per_page: 25 }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const items = found.data?.items ?? []
  const missing = chosen.filter((id) => !items.some((item) => item.id === id))
  const kept = useQuery({
    queryKey: [...queryKey, 'list', 'kept', missing],
    queryFn: () => resourceApi<Named>(base).list({ ids: missing.join(','), per_page: 100 }),
    enabled: missing.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const all = [...items, ...(kept.data?.items.filter(({ id }) => !items.some((item) => item.id === id)) ?? [])].filter(({ id }) => id !== without)
  return { search, setSearch, data: all.map((item) => ({ value: String(item.id), label: recordName(item) })), nameOf: (id: number) => all.filter((item) => item.id === id).map(recordName)[0] }
}

const look = { zIndex: 300, shadow: 'md' } as const
const everything = ({ options }: { options: unknown[] }) => options as never[]

interface OneProps extends Source {
  wiring: Wiring
  value: number | null
  onChange: (id: number | null) => void
}

/** One record, found by typing. */
export function PickOne({ wiring, value, onChange, ...source }: OneProps) {
  const { t } = useTranslation()
  const { data, setSearch } = useRecordChoices(source, value === null ? [] : [value])
  return (
    <Select {...wiring} searchable clearable filter={everything} data={data} value={value === null ? null : String(value)} onChange={(next) => onChange(next === null ? null : Number(next))} onSearchChange={setSearch} nothingFoundMessage={t('form.nothingFound')} clearButtonProps={{ 'aria-label': t('form.clear') }} comboboxProps={look} maxDropdownHeight={280} />
  )
}

/** Several records, in the order they were chosen. */
export function PickMany({ wiring, value, onChange, ...source }: Omit<OneProps, 'value' | 'onChange'> & { value: readonly number[]; onChange: (ids: number[]) => void }) {
  const { t } = useTranslation()
  const { data, search, setSearch } = useRecordChoices(source, value)
  return (
    <MultiSelect {...wiring} searchable clearable filter={everything} data={data} value={value.map(String)} onChange={(next) => onChange(next.map(Number))} searchValue={search} onSearchChange={setSearch} nothingFoundMessage={t('form.nothingFound')} clearButtonProps={{ 'aria-label': t('form.clear') }} comboboxProps={look} maxDropdownHeight={280} />
  )
}

/** One record with its label, outside a form. */
export function RecordPicker({ label, value, onChange, ...source }: Source & Pick<FieldProps, 'label'> & { value: number | null; onChange: (id: number | null) => void }) {
  return <Field label={label}>{(wiring) => <PickOne wiring={wiring} value={value} onChange={onChange} {...source} />}</Field>
}
