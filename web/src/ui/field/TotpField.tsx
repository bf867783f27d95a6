import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import { Field } from './Field'
import { TextInput } from './inputs'

/** The code of the second step: six digits, or one of the recovery codes. It gets the focus when it appears. */
export function TotpField({
  value,
  onChange,
  error,
  large = false,
  label,
  hint,
}: {
  value: string
  onChange: (code: string) => void
  error: string | undefined
  large?: boolean
  label?: string
  hint?: string
}) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (error !== undefined) input.current?.select()
  }, [error])
  return (
    <Field label={label ?? t('totp.code')} hint={hint ?? t('totp.hint')} error={error} required>
      {(wiring) => (
        <TextInput
          {...wiring}
          ref={input}
          {...(large ? { large } : {})}
          value={value}
          onChange={onChange}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={24}
        />
      )}
    </Field>
  )
}
