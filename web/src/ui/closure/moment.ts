import type { ClosureOnParcours } from '@/api/model'

/** Today as the calendar has it here. */
export const today = (now = new Date()): string => `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`

export type Moment = 'now' | 'later' | 'past'

/** Does it hold today, from some day on, or no more? Both its days are days on which it holds. */
export function momentOf({ from, to }: Pick<ClosureOnParcours, 'from' | 'to'>, day = today()): Moment {
  if (to !== null && to.slice(0, 10) < day) return 'past'
  return from.slice(0, 10) > day ? 'later' : 'now'
}
