import { useState } from 'react'
import { translate } from '@/i18n'
import { Field, type FieldProps } from './Field'
import { NumberInput, readNumber, type NumberInputProps } from './inputs'

interface NumberBoxProps
  extends Omit<FieldProps, 'children' | 'count'>, Pick<NumberInputProps, 'value' | 'onChange' | 'decimals' | 'unit' | 'onUnreadable'> {
  /** The unreadable text that the form around holds, `null` for none. Without a form the field keeps it. */
  unread?: string | null
}

/** What is wrong with a typed text that a number field cannot read. */
export const unreadFault = (text: string): string =>
  translate(readNumber(text) === undefined ? 'form.notANumber' : 'form.notWhole', { text })

/** A number under its label. A text that is no number, or no whole number where one is wanted, stays with a sentence that says so. */
export function NumberBox({ value, onChange, decimals = 0, unit, onUnreadable, unread, error, ...field }: NumberBoxProps) {
  const [own, setOwn] = useState<string | null>(null)
  const text = unread === undefined ? own : unread
  return (
    <Field {...field} error={text === null ? error : unreadFault(text)}>
      {(wiring) => (
        <NumberInput
          {...wiring}
          value={value}
          decimals={decimals}
          unit={unit}
          unreadText={text}
          onUnreadable={(typed) => {
            setOwn(typed)
            onUnreadable?.(typed)
          }}
          onChange={onChange}
        />
      )}
    </Field>
  )
}
