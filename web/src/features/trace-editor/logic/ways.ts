import { measure, type MeasuredLine, nearest, positionAt } from '@/records/map/line'
import { distanceM } from '@/records/map/geo'
import type { LngLat, Route, Position } from '@/api/types'
import type { ProblemError } from '@/api/problem'
import { followInstead } from './operations'
import { type Revision, type Step, leg, lengthM, step } from './revision'

/** The request to the planner; metres count along the working line. */
export type WaysRequest =
  | { readonly kind: 'ways' | 'avoid'; readonly profile: string; readonly from_m: number; readonly to_m: number }
  | { readonly kind: 'loop'; readonly profile: string; readonly start: Position; readonly length_m: number }

/** One proposed way: the stretch that it would replace, unless it is a loop. */
export interface Proposal {
  readonly route: Route
  readonly from_m: number
  readonly to_m: number
  /** Whether the trace already follows this way. */
  readonly current: boolean
}

/** The request, and its result. */
export interface Proposals {
  readonly request: WaysRequest
  readonly state: 'asking' | 'ready' | 'refused'
  readonly ways: readonly Proposal[]
  /** The rank of the proposal under the pointer or the focus. */
  readonly highlighted: number | null
  readonly problem: ProblemError | null
}

/** The largest number of ways that are requested. */
export const MOST_WAYS = 3

/** A stretch between two steps that follow one another. */
export interface Between {
  readonly from: Step
  readonly to: Step
}

/** The stretches for which other ways can be requested. */
export function stretches(steps: readonly Step[]): Between[] {
  return steps.flatMap((from, index) => {
    const to = steps[index + 1]
    return to && to.at_m - from.at_m > 1 && distanceM(from.position, to.position) > 1 ? [{ from, to }] : []
  })
}

/** The place of the tag of each line: on the stretch that no other line shares, as far as possible from the others and from their tags. */
export function tagPlaces(lines: readonly (readonly Position[])[]): (LngLat | null)[] {
  const measured = lines.map((line) => measure(line))
  const apartM = TAGS_APART * Math.max(0, ...measured.map((line) => line.lengthM))
  const placed: LngLat[] = []
  return measured.map((own, index) => {
    const others = measured.filter((_, other) => other !== index)
    let best: { place: LngLat; clear: number } | null = null
    for (let sample = 1; sample < SAMPLES; sample += 1) {
      const at = positionAt(own, (own.lengthM * sample) / SAMPLES)
      if (!at) continue
      const place: LngLat = [at[0], at[1]]
      const far = Math.min(...others.map((other) => nearest(other, place)?.offsetM ?? Infinity), CLEAR_M)
      const crowded = placed.some((tag) => distanceM(tag, place) < apartM)
      // Of two equally clear places, the one nearer the middle.
      const clear = (far + 1) * (crowded ? 0.1 : 1) * (1 - Math.abs(sample / SAMPLES - 0.5) / 10)
      if (!best || clear > best.clear) best = { place, clear }
    }
    if (best) placed.push(best.place)
    return best?.place ?? null
  })
}

/** Tags closer than this share of the longest line would cover one another. */
const TAGS_APART = 0.14
const SAMPLES = 48
/** A tag farther than this from the other lines is clear of them. */
const CLEAR_M = 2000

/** Whether a way is the line that is there already: about as long, and nowhere farther than this from it. */
export function isSameWay(way: Route, line: MeasuredLine): boolean {
  if (line.lengthM === 0 || Math.abs(way.distance_m / line.lengthM - 1) > 0.03) return false
  const own = measure(way.geometry)
  return Array.from({ length: SAMPLES + 1 }, (_, sample) => positionAt(own, (own.lengthM * sample) / SAMPLES)).every(
    (place) => place !== null && (nearest(line, place)?.offsetM ?? Infinity) < SAME_M,
  )
}

const SAME_M = 25

/** Puts the proposal in the place of the requested stretch. */
export function take(revision: Revision, proposal: Proposal, kind: WaysRequest['kind']): Revision {
  return kind === 'loop'
    ? asLoop(revision, proposal.route)
    : followInstead(revision, proposal.from_m, proposal.to_m, proposal.route.geometry)
}

/** A loop as the whole trace: its ends keep the words they had, its corners are way-points that can be moved. */
export function asLoop(revision: Revision, route: Route): Revision {
  const start = route.geometry[0]
  if (!start || route.geometry.length < 3) return revision
  const closed = [...route.geometry.slice(0, -1), start]
  const parts = route.legs.map(({ from_index, to_index }) => closed.slice(from_index, to_index + 1)).filter((line) => line.length > 1)
  const legs = (parts.length > 0 ? parts : [closed]).map((line) => leg('planned', line))
  const words = (kind: 'departure' | 'arrival', at: number): Step => {
    const had = revision.steps.find((one) => one.kind === kind)
    return { ...(had ?? step(kind, start, at)), position: start, at_m: at, distance_to_next_typed_m: null, duration_to_next_typed_s: null }
  }
  let at = 0
  const corners = legs.slice(0, -1).map((part) => {
    at += measure(part.line).lengthM
    return step('waypoint', part.line.at(-1) ?? start, at)
  })
  return {
    ...revision,
    legs,
    steps: [words('departure', 0), ...corners, words('arrival', lengthM(legs))],
    distance_typed_m: null,
    duration_typed_s: null,
  }
}

/** A turn back at the start or the end of a way that was to leave the line it joins. */
export function doublesBack(
  way: readonly Position[],
  before: readonly Position[],
  after: readonly Position[],
): { start: boolean; end: boolean } {
  const line = measure(way)
  const along = (kept: readonly Position[], atM: number): boolean => {
    const place = positionAt(line, atM)
    return place !== null && kept.length > 1 && (nearest(measure(kept), place)?.offsetM ?? Infinity) < SPUR_M
  }
  const far = Math.min(LOOK_M, line.lengthM / 3)
  return { start: along(before, far), end: along(after, line.lengthM - far) }
}

const SPUR_M = 6
const LOOK_M = 30

/** The line may leave the avoided stretch this far before it, and return this far after it. */
export const MARGINS_M = [40, 120, 300, 700, 1500, 3500, 8000, Infinity] as const

/** Places along a line, close enough that no other way leads through them, and no more than the planner takes. */
export function alongLine(line: MeasuredLine): Position[] {
  const count = Math.min(MOST_POINTS, Math.max(2, Math.ceil(line.lengthM / EVERY_M) + 1))
  return Array.from({ length: count }, (_, index) => positionAt(line, (line.lengthM * index) / (count - 1))).filter(
    (place) => place !== null,
  )
}

const EVERY_M = 60
const MOST_POINTS = 450

/** The shares of a whole, the same names together, longest first. */
export function shares<Name extends string>(parts: readonly { name: Name; length_m: number }[]): { name: Name; share: number }[] {
  const sums = new Map<Name, number>()
  for (const { name, length_m } of parts) sums.set(name, (sums.get(name) ?? 0) + length_m)
  const whole = [...sums.values()].reduce((sum, metres) => sum + metres, 0)
  return [...sums].map(([name, metres]) => ({ name, share: whole > 0 ? metres / whole : 0 })).toSorted((a, b) => b.share - a.share)
}
