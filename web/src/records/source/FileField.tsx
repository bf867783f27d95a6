import { useField } from '@/records/form/form-context'
import { Field } from '@/ui/field/Field'
import { FileInput } from '@/ui/field/FileInput'

/** The file of a source without an address; it is sent with the next save. */
export function FileField({ label, hint, accept }: { label: string; hint?: string | undefined; accept: string }) {
  const { value, set, error } = useField<unknown>('file')
  return (
    <Field label={label} hint={hint} error={error} path="file">
      {(wiring) => <FileInput {...wiring} value={value instanceof File ? value : null} onChange={set} accept={accept} />}
    </Field>
  )
}
