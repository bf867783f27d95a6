import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { textOf } from '@/ui/format'
import { candidatesQuery, parcoursQuery } from './queries'

interface Props {
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
  /** Only models. */
  relation?: 'model_only'
  value: number | null
  onChange: (id: number | null) => void
  /** A parcours that may not be chosen: itself. */
  except: number
  path?: string
}

const typingMs = 250

/** One parcours, found by its title. */
export function ParcoursPicker({ label, hint, error, required = false, relation, value, onChange, except, path }: Props) {
  const { t } = useTranslation('sheet')
  const [search, setSearch] = useState('')
  const chosen = useQuery({ ...parcoursQuery(value ?? 0), enabled: value !== null }).data
  const chosenTitle = chosen === undefined ? (value === null ? '' : t('parcoursNumber', { id: value })) : textOf(chosen.title)
  // The title in the box after a choice is no search.
  const [words] = useDebouncedValue(search === chosenTitle ? '' : search, typingMs)
  const found = useQuery(candidatesQuery(words, relation))
  const others = (found.data ?? [])
    .filter(({ id }) => id !== except && id !== value)
    .map(({ id, title }) => ({ value: String(id), label: textOf(title) }))
  const data = value === null ? others : [{ value: String(value), label: chosenTitle }, ...others]
  return (
    <Field label={label} hint={hint} error={error} required={required} path={path}>
      {(wiring) => (
        <Select
          {...wiring}
          searchable
          clearable
          value={value === null ? null : String(value)}
          onChange={(next) => onChange(next === null ? null : Number(next))}
          onSearchChange={setSearch}
          data={data}
          // The server has searched already, without accents and word by word.
          filter={({ options }) => options}
          placeholder={t('picker.placeholder')}
          nothingFoundMessage={found.isFetching ? t('picker.searching') : t(relation === undefined ? 'picker.none' : 'picker.noModel')}
          clearButtonProps={{ 'aria-label': t('picker.clear') }}
          comboboxProps={{ zIndex: 300, shadow: 'md' }}
          maxDropdownHeight={280}
        />
      )}
    </Field>
  )
}
