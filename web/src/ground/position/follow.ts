import type { LngLat, Step } from '@/api/types'
import { nearest, type MeasuredLine } from '@/records/map/line'

/** A position as the device gives it. */
export interface Fix {
  position: LngLat
  accuracyM: number
  /** Degrees from the north, while the device moves. */
  heading: number | null
  /** Milliseconds since 1970. */
  at: number
}

/** Where a person is on a line. */
export interface OnLine {
  /** Metres from the departure. */
  atM: number
  /** Metres to the line. */
  offsetM: number
}

/** A line that crosses itself or goes back on its own way is followed near the place before: this far back and ahead, metres. */
const BACK_M = 200
const AHEAD_M = 1000
/** As near as this to the line, one is on it. */
export const OFF_LINE_M = 40

/** Finds a position on the line, near the place before where that fits. Null on an empty line. */
export function locate(
  line: MeasuredLine,
  { position, accuracyM }: Pick<Fix, 'position' | 'accuracyM'>,
  before: OnLine | null,
): OnLine | null {
  if (before !== null) {
    const near = nearest(line, position, { fromM: before.atM - BACK_M, toM: before.atM + AHEAD_M })
    if (near !== null && near.offsetM <= Math.max(OFF_LINE_M, accuracyM)) return { atM: near.atM, offsetM: near.offsetM }
  }
  const found = nearest(line, position)
  return found === null ? null : { atM: found.atM, offsetM: found.offsetM }
}

/** A step is passed once it is this near, metres. */
const PASSED_M = 15

/** The next step ahead and the metres to it along the line. */
export function nextStep(steps: readonly Step[], atM: number): { step: Step; inM: number } | null {
  const ahead = steps.flatMap((step) => (step.at_m != null && step.at_m > atM + PASSED_M ? [{ step, inM: step.at_m - atM }] : []))
  return ahead.reduce<(typeof ahead)[number] | null>((first, one) => (first === null || one.inM < first.inM ? one : first), null)
}

/** Positions on a circle around a place, for the map. */
export function circleAround([lon, lat]: LngLat, radiusM: number): [number, number][] {
  const degree = 111_195
  const across = degree * Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return Array.from({ length: 49 }, (_, index) => {
    const angle = (index / 48) * 2 * Math.PI
    return [lon + (Math.cos(angle) * radiusM) / across, lat + (Math.sin(angle) * radiusM) / degree]
  })
}
