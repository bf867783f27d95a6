import { useContext } from 'react'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'
import { useField } from '@/ui/form/form-context'
import { ReadOnlyContext } from '@/ui/form/read-only'

/** A list of short texts, a line each. */
export function LinesField({ name, readOnly = false, ...field }: Pick<FieldProps, 'label' | 'hint' | 'tag'> & { name: string; readOnly?: boolean }) {
  const { value, set, error } = useField<string[]>(name)
  const locked = useContext(ReadOnlyContext) || readOnly
  if (locked) return <ReadOnly label={field.label} tag={field.tag}>{value.join(', ')}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <TextArea {...wiring} rows={2} value={value.join('\n')} onChange={(text) => set(text === '' ? [] : text.split('\n'))} />}
    </Field>
  )
}
