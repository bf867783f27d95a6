import { useContext } from 'react'
import { Field, ReadOnly } from '@/ui/field/Field'
import { DateInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

/** A day. */
export function DateField({ name, ...field }: { name: string; label: string; required?: boolean; hint?: string }) {
  const { value, set, error } = useField<string | null | undefined>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={field.label}>{value ? format.day(value) : null}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <DateInput {...wiring} value={value ?? null} onChange={set} />}
    </Field>
  )
}
