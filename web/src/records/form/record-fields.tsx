import { useContext } from 'react'
import { resources, type ResourceKind } from '@/api/resource'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { format } from '@/ui/format'
import { PickMany, PickOne } from '@/records/picker/lazy-pickers'
import { useRecordNames } from '@/records/picker/useRecordChoices'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

interface RecordFieldProps extends Pick<FieldProps, 'label' | 'required' | 'hint' | 'tag'> {
  name: string
  resource: ResourceKind
  query?: Record<string, string>
}

/** Another record, found by typing, kept by its id. */
export function RecordField({ name, resource, query, ...field }: RecordFieldProps) {
  const { value, set, error } = useField<number | null>(name)
  const source = { base: resources[resource].path, queryKey: [resource], ...(query === undefined ? {} : { query }) }
  const nameOf = useRecordNames(source, value === null || value === undefined ? [] : [value])
  if (useContext(ReadOnlyContext))
    return <ReadOnly label={field.label}>{value === null || value === undefined ? null : nameOf(value)}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <PickOne wiring={wiring} value={value ?? null} onChange={set} {...source} />}
    </Field>
  )
}

/** Several records, kept by their ids. */
export function RecordsField({ name, resource, query, ...field }: RecordFieldProps) {
  const { value, set, error } = useField<number[] | undefined>(name)
  const source = { base: resources[resource].path, queryKey: [resource], ...(query === undefined ? {} : { query }) }
  const chosen = value ?? []
  const nameOf = useRecordNames(source, chosen)
  if (useContext(ReadOnlyContext))
    return <ReadOnly label={field.label}>{format.list(chosen.map((id) => nameOf(id) ?? String(id)))}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <PickMany wiring={wiring} value={chosen} onChange={set} {...source} />}
    </Field>
  )
}
