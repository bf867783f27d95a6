import type { Parcours } from '@/api/types'
import { same } from '@/records/form/paths'
import type { Difference } from '@/records/history/Comparison'
import { toValues } from '../values'

/** The differences between two states of a sheet, field by field, in the order of the sheet; publication and trace beside. */
export function differences(before: Parcours, after: Parcours): Difference[] {
  const [old, now] = [toValues(before), toValues(after)]
  const fields = Object.keys(now).flatMap((field) =>
    same(old[field], now[field]) ? [] : [{ field, before: old[field], after: now[field] }],
  )
  const beside: Difference[] = []
  if (before.trace?.revision !== after.trace?.revision) beside.push({ field: 'trace', before: before.trace, after: after.trace })
  if (before.published !== after.published) beside.push({ field: 'published', before: before.published, after: after.published })
  return [...fields, ...beside]
}
