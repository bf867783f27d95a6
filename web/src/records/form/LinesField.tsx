import { useContext, useState } from 'react'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { TextArea, type TextAreaProps } from '@/ui/field/inputs'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

interface Props extends Pick<FieldProps, 'label' | 'hint' | 'tag'>, Pick<TextAreaProps, 'rows' | 'placeholder' | 'spellCheck'> {
  name: string
  readOnly?: boolean
  /** Called with the changed lines and what writes them: a change that needs an answer first is written after it, or never. */
  onWrite?: (lines: string[], write: () => void) => void
}

/** A list of short texts, one per line; the typed text is kept unchanged until the field loses the focus. */
export function LinesField({ name, label, hint, tag, readOnly = false, rows = 2, onWrite = (_, write) => write(), ...area }: Props) {
  const { value, set, error } = useField<readonly string[] | undefined>(name)
  const [typed, setTyped] = useState<string | null>(null)
  const locked = useContext(ReadOnlyContext) || readOnly
  const lines = value ?? []
  if (locked)
    return (
      <ReadOnly label={label} tag={tag}>
        {lines.join(', ')}
      </ReadOnly>
    )
  const change = (text: string) => {
    const changed = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    onWrite(changed, () => {
      setTyped(text)
      set(changed)
    })
  }
  return (
    <Field label={label} hint={hint} tag={tag} error={error} path={name}>
      {(wiring) => (
        <TextArea {...area} {...wiring} rows={rows} value={typed ?? lines.join('\n')} onChange={change} onBlur={() => setTyped(null)} />
      )}
    </Field>
  )
}
