import { useContext } from 'react'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { DateInput, TextInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format } from '@/ui/format'

type Props = Pick<FieldProps, 'label' | 'hint'> & { name: string; readOnly?: boolean }

/** A day of the calendar, or none. */
export function DayField({ name, readOnly = false, ...field }: Props) {
  const { value, set, error } = useField<string | null>(name)
  const locked = useContext(ReadOnlyContext) || readOnly
  if (locked) return <ReadOnly label={field.label}>{value === null ? null : format.day(value)}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <DateInput {...wiring} value={value} onChange={set} />}
    </Field>
  )
}

/** An hour of the day, or none. */
export function HourField({ name, ...field }: Props) {
  const { value, set, error } = useField<string | null>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={field.label}>{value}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <TextInput {...wiring} type="time" value={value ?? ''} onChange={(hour) => set(hour === '' ? null : hour)} />}
    </Field>
  )
}
