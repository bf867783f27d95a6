import { useContext } from 'react'
import { useTranslation } from '@/i18n'
import type { VocabularyItem, VocabularyKind } from '@/api/types'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useField } from './form-context'
import { SearchMany } from '@/ui/select/lazy-select'
import { ReadOnlyContext } from './read-only'
import { useVocabulary } from './vocabulary'

export type VocabularyFieldProps = Pick<FieldProps, 'label' | 'required' | 'hint' | 'tag'> & {
  name: string
  kind: VocabularyKind
  multiple?: boolean
  /** Only some of the list: the levels of one scale. */
  keep?: (item: VocabularyItem) => boolean
  empty?: string
  readOnly?: boolean
}

/** One or several items of a reference list, by their ids. */
export function VocabularyField({ multiple = false, ...props }: VocabularyFieldProps) {
  return multiple ? <Many {...props} /> : <One {...props} />
}

function One({ name, kind, keep, empty, readOnly = false, ...field }: VocabularyFieldProps) {
  const { t } = useTranslation()
  const { value, set, error } = useField<number | null>(name)
  const { choices, nameOf } = useVocabulary(kind, keep)
  if (useContext(ReadOnlyContext) || readOnly) return <ReadOnly label={field.label}>{nameOf(value)}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={value === null || value === undefined ? null : String(value)}
          onChange={(next) => set(next === null ? null : Number(next))}
          choices={choices}
          empty={empty ?? t(field.required === true ? 'form.choose' : 'form.none')}
        />
      )}
    </Field>
  )
}

function Many({ name, kind, keep, readOnly = false, ...field }: VocabularyFieldProps) {
  const { value, set, error } = useField<number[]>(name)
  const { choices, nameOf } = useVocabulary(kind, keep)
  if (useContext(ReadOnlyContext) || readOnly)
    return <ReadOnly label={field.label}>{format.list(value.map((id) => nameOf(id) ?? String(id)))}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <SearchMany wiring={wiring} choices={choices} value={value.map(String)} onChange={(next) => set(next.map(Number))} />}
    </Field>
  )
}
