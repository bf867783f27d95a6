import type { Fault } from '@/api/problem'
import type { Period } from './values'

/** The faults of some periods, as the server words them: both ends, in their order. */
export function periodFaults(periods: readonly Period[]): Fault[] {
  return periods.flatMap(({ from, to }, index): Fault[] => {
    const at = (end: 'from' | 'to') => `/availability/${index}/${end}`
    if (!from && !to) return [{ code: 'parcours/availability-date-required', field: at('from') }]
    if (!to) return [{ code: 'parcours/availability-both-dates', field: at('to') }]
    if (!from) return [{ code: 'parcours/availability-both-dates', field: at('from') }]
    // ISO days of four-digit years sort as text.
    return to < from ? [{ code: 'parcours/availability-order', field: at('to') }] : []
  })
}
