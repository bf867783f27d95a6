import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { NumberInput } from '@/ui/field/inputs'
import { bareKm } from '../words'

export const kmOf = (metres: number | null): number | null => (metres === null ? null : Number((metres / 1000).toFixed(3)))

export const outside = (km: number | null, length: number): boolean => km !== null && (km < 0 || km * 1000 > length + 0.5)

/** A kilometre of the working line. */
export function KmField({
  label,
  value,
  onChange,
  bad,
  length,
}: {
  label: string
  value: number | null
  onChange: (km: number | null) => void
  bad: boolean
  length: number
}) {
  const { t } = useTranslation('trace')
  const [unreadable, setUnreadable] = useState(false)
  return (
    <Field label={label} error={bad || unreadable ? t('form.kmBad', { max: bareKm(length) }) : undefined}>
      {(wiring) => (
        <NumberInput
          {...wiring}
          value={value}
          onChange={onChange}
          onUnreadable={(text) => setUnreadable(text !== null)}
          decimals={3}
          unit="km"
        />
      )}
    </Field>
  )
}
