import type { Fault } from '@/api/problem'
import { currentLocale } from '@/i18n'
import { format } from '@/ui/format'
import type { AvailabilityPeriod } from '@/api/types'

/** The faults of some periods, as the server words them: both ends, in their order. */
export function periodFaults(periods: readonly AvailabilityPeriod[]): Fault[] {
  return periods.flatMap(({ from, to }, index): Fault[] => {
    const at = (end: 'from' | 'to') => `/availability/${index}/${end}`
    if (!from && !to) return [{ code: 'parcours/availability-date-required', field: at('from') }]
    if (!to) return [{ code: 'parcours/availability-both-dates', field: at('to') }]
    if (!from) return [{ code: 'parcours/availability-both-dates', field: at('from') }]
    // ISO days of four-digit years sort as text.
    return to < from ? [{ code: 'parcours/availability-order', field: at('to') }] : []
  })
}

/** A day as a sentence has it: the first of a month is « 1er » in French. */
export const dayWords = (day: string | null): string =>
  day === null ? '–' : currentLocale() === 'fr' ? format.day(day).replace(/^1 /, '1er ') : format.day(day)
