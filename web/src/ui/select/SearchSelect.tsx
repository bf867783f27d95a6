import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import type { Wiring } from '@/ui/field/Field'
import type { Choice } from '@/ui/field/inputs'
import { FirstFound } from './FirstFound'
import { useEnter } from './useEnter'
import { useMantineWiring } from './useMantineWiring'

interface SelectProps {
  wiring: Wiring
  choices: readonly Choice[]
}

const look = { zIndex: 300, shadow: 'md' } as const
const indented = (choices: readonly Choice[], value: string, label: string) =>
  `${'\u2003'.repeat(choices.find((choice) => choice.value === value)?.depth ?? 0)}${label}`

/** What the typed words find: how many, and the name of the first where Enter takes it, which is not chosen yet. */
function foundBy(choices: readonly Choice[], search: string, chosen: readonly (string | null)[]) {
  const words = search.trim().toLowerCase()
  const found = choices.filter(({ label }) => label.toLowerCase().includes(words))
  const first = found[0]
  const isChosen = ({ value, label }: Choice) => chosen.includes(value) && label === search
  const isNew = words !== '' && first !== undefined && !chosen.includes(first.value) && !choices.some(isChosen)
  return { count: found.length, name: isNew ? first.label : undefined }
}

/** One of many, found by typing. */
export function SearchOne({
  wiring,
  choices,
  value,
  onChange,
}: SelectProps & { value: string | null; onChange: (value: string | null) => void }) {
  const { t } = useTranslation()
  const wired = useMantineWiring(wiring)
  const [search, setSearch] = useState('')
  const found = foundBy(choices, search, [value])
  return (
    <>
      <Select
        {...wired}
        {...useEnter(found.name !== undefined)}
        searchable
        onSearchChange={setSearch}
        clearable
        data={choices.map(({ value: key, label }) => ({ value: key, label }))}
        value={value}
        onChange={onChange}
        nothingFoundMessage={t('form.nothingFound')}
        clearButtonProps={{ 'aria-label': t('form.clear') }}
        comboboxProps={look}
        maxDropdownHeight={280}
      />
      <FirstFound {...found} />
    </>
  )
}

/** Several of many, found by typing; the depth in a tree is shown in the list, not in the chosen values. */
export function SearchMany({ wiring, choices, value, onChange }: SelectProps & { value: string[]; onChange: (value: string[]) => void }) {
  const { t } = useTranslation()
  const wired = useMantineWiring(wiring)
  const [search, setSearch] = useState('')
  const found = foundBy(choices, search, value)
  return (
    <>
      <MultiSelect
        {...wired}
        {...useEnter(found.name !== undefined)}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        clearable
        value={value}
        onChange={onChange}
        data={choices.map(({ value: key, label }) => ({ value: key, label }))}
        renderOption={({ option }) => indented(choices, option.value, option.label)}
        nothingFoundMessage={t('form.nothingFound')}
        clearButtonProps={{ 'aria-label': t('form.clear') }}
        comboboxProps={look}
        maxDropdownHeight={320}
      />
      <FirstFound {...found} />
    </>
  )
}
