import { useEffect, useRef } from 'react'
import { Field } from '@/ui/field/Field'
import { useField } from '@/records/form/form-context'

/** The file of a source without an address; it is sent with the next save. */
export function FileField({ label, hint, accept }: { label: string; hint?: string | undefined; accept: string }) {
  const { value, set, error } = useField<unknown>('file')
  const input = useRef<HTMLInputElement>(null)
  const file = value instanceof File ? value : null
  useEffect(() => {
    if (file === null && input.current) input.current.value = ''
  }, [file])
  return (
    <>
      <Field label={label} hint={hint} error={error} path="file">
        {(wiring) => (
          <input {...wiring} ref={input} type="file" accept={accept} onChange={(event) => set(event.currentTarget.files?.[0] ?? null)} />
        )}
      </Field>
      {file !== null && <p className="small muted">{file.name}</p>}
    </>
  )
}
