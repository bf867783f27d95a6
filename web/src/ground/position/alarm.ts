import { OFF_LINE_M } from './follow'

/** The state of the alarm of a person who follows a line. */
export interface Alarm {
  /** Since when the person is off the line, milliseconds; null on it. */
  offSince: number | null
  /** When it last rang; null while it did not. */
  rangAt: number | null
}

export const quiet: Alarm = { offSince: null, rangAt: null }

/** Off the line for this long, it rings; and again after this long, while the person stays off it. */
const OFF_LINE_DELAY_MS = 20_000
const AGAIN_MS = 60_000
/** As near as this, the person is back: less than the distance of the alarm, or it would ring at each step along its edge. */
const BACK_M = 30

/** The alarm after a position, and whether it rings now. A position less accurate than its distance to the line says nothing. */
export function afterFix(
  before: Alarm,
  { offsetM, accuracyM, at }: { offsetM: number; accuracyM: number; at: number },
): { alarm: Alarm; rings: boolean } {
  if (offsetM < BACK_M) return { alarm: quiet, rings: false }
  if (offsetM <= OFF_LINE_M || offsetM <= accuracyM) return { alarm: before, rings: false }
  const offSince = before.offSince ?? at
  const isLong = at - offSince >= OFF_LINE_DELAY_MS
  const rings = isLong && (before.rangAt === null || at - before.rangAt >= AGAIN_MS)
  return { alarm: { offSince, rangAt: rings ? at : before.rangAt }, rings }
}
