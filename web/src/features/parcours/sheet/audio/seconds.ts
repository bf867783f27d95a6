import { withUnit } from '@/i18n/typography'
import { format } from '@/ui/format'

/** « 45 s », « 2 min 05 ». */
export function seconds(value: number): string {
  const whole = Math.round(value)
  if (whole < 60) return format.unit(whole, 's')
  return withUnit(String(Math.floor(whole / 60)), withUnit('min', String(whole % 60).padStart(2, '0')))
}
