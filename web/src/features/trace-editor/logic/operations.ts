import { distanceM } from '@/records/map/geo'
import { type Position, samePlace } from './geo'
import { locateInOrder } from './locate'
import { measure, nearest } from '@/records/map/line'
import {
  type Leg,
  type LegKind,
  type Revision,
  type Step,
  type StepKind,
  type Text,
  inOrder,
  isClosed,
  leg,
  lengthM,
  measured,
  placeAt,
  spans,
  step,
  workingLine,
} from './revision'
import { replaceStretch, spanAt, splitLegs } from './stretch'

/** How a new stretch is drawn: along the network, or straight. */
export interface Drawing {
  readonly free?: boolean
}

/** A stretch that the planner still has to draw, or a free one: straight for now. */
export function stretch(from: Position, to: Position, drawing: Drawing): Leg {
  return drawing.free ? leg('free', [from, to]) : leg('planned', [from, to], true)
}

/** Puts a step on the line at `at_m`. A planned stretch gets a joint there, so that it is re-planned through the step. */
export function addOnLine(revision: Revision, atM: number, kind: StepKind): { revision: Revision; key: number } {
  const at = Math.min(lengthM(revision.legs), Math.max(0, atM))
  const position = placeAt(revision, at)
  if (!position) return { revision, key: -1 }
  const added = step(kind, position, at)
  const holds = spanAt(revision.legs, at)?.leg.kind === 'planned'
  const legs = holds ? splitLegs(revision.legs, at) : revision.legs
  return { revision: { ...revision, legs, steps: inOrder([...revision.steps, added]) }, key: added.key }
}

/** Extends the line to `place`: the first point is the departure, the last one the arrival, those between way-points. */
export function append(revision: Revision, place: Position, drawing: Drawing = {}): { revision: Revision; key: number } {
  const line = measured(revision).points
  const end = line.at(-1) ?? revision.steps[0]?.position
  if (!end) {
    const first = step('departure', place, 0)
    return { revision: { ...revision, steps: [first] }, key: first.key }
  }
  const legs = [...revision.legs, stretch(end, place, drawing)]
  const total = lengthM(legs)
  const arrival = step('arrival', place, total)
  const others = revision.steps.map((one): Step => (one.kind === 'arrival' ? { ...one, kind: 'waypoint' } : one))
  const start: Step[] = others.some((one) => one.kind === 'departure') ? [] : [step('departure', line[0] ?? end, 0)]
  return { revision: { ...revision, legs, steps: [...inOrder([...start, ...others]), arrival] }, key: arrival.key }
}

/** On a source stretch a bend stays local: on each side it is this many times as long as it is wide. */
const LOCAL_FACTOR = 4
const LOCAL_MIN_M = 150
const LOCAL_MAX_M = 2000

/**
 * The stretch that is drawn again when the point at `at_m` moves `moved_m` away: to the next step or joint on each side.
 * A recorded stretch is only opened near the point, a free one from corner to corner.
 */
export function stretchAround(revision: Revision, atM: number, movedM: number): { from_m: number; to_m: number } {
  const all = spans(revision.legs)
  const local = Math.min(LOCAL_MAX_M, Math.max(LOCAL_MIN_M, movedM * LOCAL_FACTOR))
  const stops = [...all.flatMap((span) => [span.from_m, span.to_m]), ...revision.steps.map((one) => one.at_m)]
  const before = stops.reduce((best, stop) => (stop < atM - 0.5 && stop > best ? stop : best), 0)
  const after = stops.reduce((best, stop) => (stop > atM + 0.5 && stop < best ? stop : best), lengthM(revision.legs))
  const left = all.findLast((span) => span.from_m < atM - 0.5)
  const right = all.find((span) => span.to_m > atM + 0.5)
  return {
    from_m: left ? Math.max(before, bound(left.leg, left.from_m, atM, local, 'before')) : atM,
    to_m: right ? Math.min(after, bound(right.leg, right.from_m, atM, local, 'after')) : atM,
  }
}

function bound(part: Leg, from: number, atM: number, local: number, side: 'before' | 'after'): number {
  const open = side === 'before' ? -Infinity : Infinity
  if (part.kind === 'source') return side === 'before' ? atM - local : atM + local
  if (part.kind === 'planned') return open
  const corners = measure(part.line).atM
  return side === 'before'
    ? from + corners.reduce((best, along) => (from + along < atM - 0.5 ? along : best), 0)
    : from + corners.reduceRight((best, along) => (from + along > atM + 0.5 ? along : best), corners.at(-1) ?? 0)
}

/** Takes a step to another place: the line follows, through the planner or straight. */
export function moveStep(revision: Revision, key: number, to: Position, drawing: Drawing = {}): Revision {
  const moving = revision.steps.find((one) => one.key === key)
  if (!moving) return revision
  if (revision.legs.length === 0) return withStep(revision, key, { position: to })
  if (isClosed(revision) && isEnd(revision, moving)) return moveClosedEnds(revision, to, drawing)
  const { from_m, to_m } = stretchAround(revision, moving.at_m, distanceM(moving.position, to))
  const start = placeAt(revision, from_m)
  const end = placeAt(revision, to_m)
  const line = measured(revision)
  const parts: Leg[] = []
  if (start && from_m < moving.at_m - 0.5) parts.push(through(revision, moving.at_m - 0.5, start, to, drawing))
  if (end && to_m > moving.at_m + 0.5) parts.push(through(revision, moving.at_m + 0.5, to, end, drawing))
  if (parts.length === 0 || line.points.length === 0) return revision
  const replaced = replaceStretch(without(revision, key), from_m, to_m, parts)
  const at = from_m + (parts.length === 2 || from_m < moving.at_m - 0.5 ? measure(parts[0]?.line ?? []).lengthM : 0)
  return { ...replaced, steps: inOrder([...replaced.steps, { ...moving, position: to, at_m: at }]) }
}

/** A free stretch stays free when one of its points moves. */
function through(revision: Revision, atM: number, from: Position, to: Position, drawing: Drawing): Leg {
  const kind = spanAt(revision.legs, atM)?.leg.kind
  return stretch(from, to, { free: drawing.free ?? kind === 'free' })
}

const isEnd = (revision: Revision, one: Step): boolean => one.at_m < 0.5 || one.at_m > lengthM(revision.legs) - 0.5

/** Departure and arrival of a closed loop are one place: they move together. */
function moveClosedEnds(revision: Revision, to: Position, drawing: Drawing): Revision {
  const total = lengthM(revision.legs)
  const moved = distanceM(placeAt(revision, 0) ?? to, to)
  const last = stretchAround(revision, total, moved)
  const first = stretchAround(revision, 0, moved)
  const from = placeAt(revision, last.from_m)
  const end = placeAt(revision, first.to_m)
  if (!from || !end) return revision
  const ends = revision.steps.filter((one) => isEnd(revision, one))
  const inner = { ...revision, steps: revision.steps.filter((one) => !isEnd(revision, one)) }
  const head = through(revision, 0.5, to, end, drawing)
  const tail = through(revision, total - 0.5, from, to, drawing)
  const withTail = replaceStretch(inner, last.from_m, total, [tail])
  const done = replaceStretch(withTail, 0, first.to_m, [head])
  const length = lengthM(done.legs)
  const back = ends.map((one): Step => ({ ...one, position: to, at_m: one.at_m < 0.5 ? 0 : length }))
  return { ...done, steps: inOrder([...done.steps, ...back]) }
}

/** Slides a step along the line to `at_m`: nothing is drawn again. */
export function slideStep(revision: Revision, key: number, atM: number): Revision {
  const position = placeAt(revision, atM)
  if (!position) return revision
  const moved = withStep(revision, key, { position, at_m: atM })
  return { ...moved, steps: inOrder(moved.steps) }
}

/** Bends the line: makes a way-point at `at_m` and moves it to `to`. */
export function bend(revision: Revision, atM: number, to: Position, drawing: Drawing = {}): { revision: Revision; key: number } {
  const added = addOnLine(revision, atM, 'waypoint')
  return { revision: moveStep(added.revision, added.key, to, drawing), key: added.key }
}

/** Adds a step at `place` between the step `key` and the next one; after the last step it extends the line. */
export function insertAfter(revision: Revision, key: number, place: Position, drawing: Drawing = {}): { revision: Revision; key: number } {
  const index = revision.steps.findIndex((one) => one.key === key)
  const here = revision.steps[index]
  const next = revision.steps[index + 1]
  if (!here || !next || revision.legs.length === 0) return append(revision, place, drawing)
  const found = nearest(measured(revision), place, { fromM: here.at_m, toM: next.at_m })
  const at = Math.min(next.at_m - 1, Math.max(here.at_m + 1, found?.atM ?? here.at_m))
  return found && found.offsetM < 5 ? addOnLine(revision, found.atM, 'waypoint') : bend(revision, at, place, drawing)
}

/** Removes a step. Where it bent a planned line, its neighbours are joined again; a recorded line does not change. */
export function removeStep(revision: Revision, key: number): Revision {
  const index = revision.steps.findIndex((one) => one.key === key)
  const gone = revision.steps[index]
  if (!gone) return revision
  const rest = without(revision, key)
  if (revision.legs.length === 0) return rest
  if (isEnd(revision, gone) && !isClosed(revision)) return removeEnd(revision, rest, gone)
  const { from_m, to_m } = stretchAround(revision, gone.at_m, 0)
  const drawn = (atM: number) => spanAt(revision.legs, atM)?.leg.kind === 'planned'
  const start = placeAt(revision, from_m)
  const end = placeAt(revision, to_m)
  if (!start || !end || !drawn(gone.at_m - 0.5) || !drawn(gone.at_m + 0.5) || to_m - from_m < 1) return rest
  return replaceStretch(rest, from_m, to_m, [stretch(start, end, {})])
}

/** Without its first or last point a drawn trace begins or ends at the next one. */
function removeEnd(revision: Revision, rest: Revision, gone: Step): Revision {
  const atStart = gone.at_m < 0.5
  const next = atStart ? rest.steps[0] : rest.steps.at(-1)
  const kinds = new Set(
    spans(revision.legs)
      .filter((span) => (atStart ? span.from_m < (next?.at_m ?? 0) - 0.5 : span.to_m > (next?.at_m ?? 0) + 0.5))
      .map((span) => span.leg.kind),
  )
  if (!next || kinds.has('source')) return rest
  const total = lengthM(revision.legs)
  const from = atStart ? next.at_m : 0
  const to = atStart ? total : next.at_m
  const kept = spans(splitLegs(splitLegs(revision.legs, from), to)).filter((span) => span.from_m >= from - 0.05 && span.to_m <= to + 0.05)
  const kind: StepKind = atStart ? 'departure' : 'arrival'
  const steps = rest.steps.map((one) => ({
    ...one,
    at_m: one.at_m - from,
    kind: one.key === next.key && rest.steps.length > 1 ? kind : one.key === next.key ? 'departure' : one.kind,
  }))
  return { ...rest, legs: kept.filter((span) => span.to_m > span.from_m).map((span) => span.leg), steps }
}

/** Changes the order: the line is drawn again through the steps that changed places. */
export function reorder(revision: Revision, key: number, by: -1 | 1): Revision {
  const index = revision.steps.findIndex((one) => one.key === key)
  return reorderTo(revision, key, index + by)
}

/** Takes a step to another rank of the list. */
export function reorderTo(revision: Revision, key: number, to: number): Revision {
  const index = revision.steps.findIndex((one) => one.key === key)
  const moving = revision.steps[index]
  if (!moving || to < 0 || to >= revision.steps.length || to === index) return revision
  const order = revision.steps.toSpliced(index, 1).toSpliced(to, 0, moving)
  const renamed = endsByRank(order, revision.steps)
  if (revision.legs.length === 0) return { ...revision, steps: renamed }
  const low = Math.max(0, Math.min(index, to) - 1)
  const high = Math.min(order.length - 1, Math.max(index, to) + 1)
  return redrawBetween(revision, renamed, low, high)
}

/** The first step is the departure, the last one the arrival. */
function endsByRank(order: readonly Step[], before: readonly Step[]): Step[] {
  const hadStart = before[0]?.kind === 'departure'
  const hadEnd = before.at(-1)?.kind === 'arrival'
  return order.map((one, rank): Step => {
    if (hadStart && rank === 0) return { ...one, kind: 'departure' }
    if (hadEnd && rank === order.length - 1) return { ...one, kind: 'arrival' }
    return one.kind === 'departure' || one.kind === 'arrival' ? { ...one, kind: 'waypoint' } : one
  })
}

function redrawBetween(revision: Revision, order: readonly Step[], low: number, high: number): Revision {
  const first = revision.steps[low]
  const last = revision.steps[high]
  if (!first || !last) return revision
  const from = low === 0 ? 0 : first.at_m
  const to = high === revision.steps.length - 1 ? lengthM(revision.legs) : last.at_m
  const moved = order.slice(low, high + 1)
  const parts: Leg[] = []
  moved.forEach((one, index) => {
    const next = moved[index + 1]
    if (next && !samePlace(one.position, next.position)) parts.push(stretch(one.position, next.position, {}))
  })
  const outside = { ...revision, steps: [...order.slice(0, low), ...order.slice(high + 1)] }
  const redrawn = replaceStretch(outside, from, to, parts)
  let at = from
  const inside = moved.map((one, index): Step => {
    const previous = moved[index - 1]
    if (previous) at += samePlace(previous.position, one.position) ? 0 : distanceM(previous.position, one.position)
    return { ...one, at_m: at }
  })
  return { ...redrawn, steps: [...redrawn.steps.slice(0, low), ...inside, ...redrawn.steps.slice(low)] }
}

const swapped: Partial<Record<StepKind, StepKind>> = { departure: 'arrival', arrival: 'departure' }

/** Reverses the line. Planned stretches are planned again, as a one-way street differs in the other direction, unless on foot. */
export function reverse(revision: Revision): Revision {
  const total = lengthM(revision.legs)
  const onFoot = revision.profile === 'hiking'
  const legs = revision.legs
    .toReversed()
    .map((part) => leg(part.kind, part.line.toReversed(), part.kind === 'planned' && (!onFoot || part.pending === true)))
  const back = revision.steps.toReversed()
  const steps = back.map((one, index): Step => ({
    ...one,
    kind: swapped[one.kind] ?? one.kind,
    at_m: total - one.at_m,
    distance_to_next_typed_m: back[index + 1]?.distance_to_next_typed_m ?? null,
    duration_to_next_typed_s: null,
  }))
  return { ...revision, legs, steps }
}

/** Closes the line to its start. */
export function closeLoop(revision: Revision, drawing: Drawing = {}): Revision {
  const line = measured(revision).points
  const first = line[0]
  const last = line.at(-1)
  if (!first || !last || isClosed(revision)) return revision
  const end = samePlace(first, last) ? leg('free', [last, first]) : stretch(last, first, drawing)
  const legs = [...revision.legs, end]
  const total = lengthM(legs)
  const steps = revision.steps.map((one): Step => (one.kind === 'arrival' ? { ...one, position: first, at_m: total } : one))
  return { ...revision, legs, steps, is_loop: true }
}

/** A stretch off the network between two places of the line, through the corners given. */
export function freeStretch(revision: Revision, fromM: number, toM: number, corners: readonly Position[] = []): Revision {
  const [from, to] = fromM <= toM ? [fromM, toM] : [toM, fromM]
  const start = placeAt(revision, from)
  const end = placeAt(revision, to)
  if (!start || !end || to - from < 1) return revision
  const between = fromM <= toM ? corners : corners.toReversed()
  return replaceStretch(revision, from, to, [leg('free', [start, ...between, end])])
}

/** The stretch from `from_m` to `to_m` takes another line: what a recommended button does. */
export function followInstead(revision: Revision, fromM: number, toM: number, line: readonly Position[]): Revision {
  return putLine(revision, fromM, toM, line, 'planned')
}

/** The stretch stays as it was recorded, and is marked as off the network. */
export function keepAsRecorded(revision: Revision, fromM: number, toM: number): Revision {
  const whole = measured(revision)
  const kept = splitLegs(splitLegs(revision.legs, fromM), toM)
  const legs = spans(kept).map((span): Leg => {
    const inside = span.from_m >= fromM - 0.05 && span.to_m <= toM + 0.05
    return inside && span.leg.kind !== 'free' ? leg('free', span.leg.line) : span.leg
  })
  return whole.points.length > 1 ? { ...revision, legs } : revision
}

/** A stretch that was kept free follows the recording again, for the planner to judge. */
export function judgeAgain(revision: Revision, fromM: number, toM: number): Revision {
  const inside = spans(revision.legs).filter(
    (span) =>
      span.leg.kind === 'free' &&
      Math.min(span.to_m, toM) - Math.max(span.from_m, fromM) > 0.5 * Math.min(span.to_m - span.from_m, toM - fromM),
  )
  if (inside.length === 0) return revision
  const back = new Set(inside.map((span) => span.leg))
  return { ...revision, legs: revision.legs.map((part) => (back.has(part) ? leg('source', part.line) : part)) }
}

function putLine(revision: Revision, fromM: number, toM: number, line: readonly Position[], kind: LegKind): Revision {
  const start = placeAt(revision, fromM)
  const end = placeAt(revision, toM)
  if (!start || !end || line.length === 0) return revision
  const first = line[0]
  const last = line.at(-1)
  const places = [...(first && samePlace(first, start) ? [] : [start]), ...line, ...(last && samePlace(last, end) ? [] : [end])]
  return replaceStretch(revision, fromM, toM, [leg(kind, places)])
}

/** Back to the recording's bytes. */
export const takeOriginal = (revision: Revision, source: readonly Position[]): Revision => withLegs(revision, [leg('source', source)])

/** Another line; the steps keep their places, in order along it. */
export function withLegs(revision: Revision, legs: readonly Leg[]): Revision {
  const line = workingLine(legs)
  const whole = measure(line)
  const found = locateInOrder(
    whole,
    revision.steps.map((one) => one.position),
  )
  const steps = revision.steps.map((one, index): Step => {
    if (one.kind === 'departure') return { ...one, at_m: 0, position: line[0] ?? one.position }
    if (one.kind === 'arrival') return { ...one, at_m: whole.lengthM, position: line.at(-1) ?? one.position }
    const at = found[index]
    return at ? { ...one, at_m: at.atM, position: at.offsetM < 50 ? at.position : one.position } : one
  })
  return { ...revision, legs, steps: inOrder(steps) }
}

/** Another profile: every planned stretch is planned again. */
export function withProfile(revision: Revision, profile: string): Revision {
  const legs = revision.legs.map((part) => {
    const first = part.line[0]
    const last = part.line.at(-1)
    return part.kind === 'planned' && first && last ? leg('planned', part.line, true) : part
  })
  return { ...revision, profile, legs }
}

export function withStep(revision: Revision, key: number, change: Partial<Omit<Step, 'key'>>): Revision {
  return { ...revision, steps: revision.steps.map((one) => (one.key === key ? { ...one, ...change } : one)) }
}

export function withText(revision: Revision, key: number, field: 'title' | 'description', language: string, text: string): Revision {
  const one = revision.steps.find((other) => other.key === key)
  const before: Text = one?.[field] ?? {}
  return withStep(revision, key, { [field]: { ...before, [language]: text } })
}

function without(revision: Revision, key: number): Revision {
  return { ...revision, steps: revision.steps.filter((one) => one.key !== key) }
}
