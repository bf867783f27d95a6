import type { LngLat } from '@/api/types'
import { distanceM } from '@/records/map/geo'
import type { Fix } from '../position/follow'
import type { NotStored } from './unstored'

/** What is known of a recording before its first point. */
export interface RecordingHead {
  /** The identifier of the entry that will be made of it. */
  id: string
  parcoursId: number
  parcoursName: string
  startedAt: string
}

/** The way that is being recorded. */
export interface Recording extends RecordingHead {
  points: LngLat[]
  /** Why its last points are in the memory of this page alone; null where all are on the device. */
  problem: NotStored | null
}

/** A position less accurate than this, or as near to the point before, adds no point; metres. */
const MAX_ACCURACY_M = 30
const MIN_STEP_M = 5
/** The most points that the server takes: 100 km, one each five metres. */
export const MAX_POINTS = 20_000

/** The point that a position adds to a recorded way; null where it adds none. */
export function pointAfter(points: readonly LngLat[], { position, accuracyM }: Pick<Fix, 'position' | 'accuracyM'>): LngLat | null {
  if (accuracyM > MAX_ACCURACY_M || points.length >= MAX_POINTS) return null
  const last = points.at(-1)
  return last !== undefined && distanceM(last, position) < MIN_STEP_M ? null : [round(position[0]), round(position[1])]
}

/** Seven decimals are a centimetre. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

/** The length of a recorded way, metres. */
export const lengthOf = (points: readonly LngLat[]): number =>
  points.reduce((sum, point, index) => {
    const before = points[index - 1]
    return before === undefined ? sum : sum + distanceM(before, point)
  }, 0)
