import { format } from '@/ui/format'

/** « 45 s », « 2 min 05 ». */
export function seconds(value: number): string {
  const whole = Math.round(value)
  if (whole < 60) return `${format.number(whole)}${format.nbsp}s`
  return `${Math.floor(whole / 60)}${format.nbsp}min${format.nbsp}${String(whole % 60).padStart(2, '0')}`
}
