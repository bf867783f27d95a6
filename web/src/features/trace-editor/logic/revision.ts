import type { StepKind, Text } from '@/api/types'
import type { Position } from './geo'
import { type MeasuredLine, measure, positionAt } from '@/records/map/line'

/** How a stretch of the working revision came to be. */
export type LegKind = 'source' | 'planned' | 'free'

/** One stretch; consecutive legs share their end point. */
export interface Leg {
  /** A local id, to recognise a stretch when its answer arrives. */
  readonly key: number
  readonly kind: LegKind
  readonly line: readonly Position[]
  /** A straight ghost that waits for the planner. */
  readonly pending?: true
}

/** The ten kinds of step, in the order they are offered. */
export const stepKinds: readonly StepKind[] = [
  'departure',
  'waypoint',
  'step',
  'optional_step',
  'night',
  'nights',
  'step_night',
  'favourite',
  'advice',
  'arrival',
]
export type { StepKind, Text }

export interface Step {
  /** A key of this page; the server does not have it. */
  readonly key: number
  /** The id on the server, once saved. */
  readonly id?: number
  readonly kind: StepKind
  readonly title: Text
  readonly description: Text
  readonly position: Position
  /** Metres along the working line. */
  readonly at_m: number
  readonly distance_to_next_typed_m: number | null
  readonly duration_to_next_typed_s: number | null
  readonly practice_type_id: number | null
  readonly nights: number | null
  /** Lines of public transport that stop there. */
  readonly line_ids: readonly number[]
}

/** The source of the recording behind the line. */
export interface SourceOf {
  /** The revision of the trace that has it; null until it is saved. */
  readonly revision: number | null
  /** Checksum of the file; null for a drawn trace, and for a file that is not saved yet. */
  readonly sha256: string | null
  /** Its own line, to come back to; null for a drawn trace. */
  readonly line: readonly Position[] | null
  /** A file that is sent to the server with the next save. */
  readonly file: {
    readonly name: string
    readonly bytes: Uint8Array
    readonly join: 'true' | 'first' | 'longest' | null
    readonly without_repairs: readonly string[]
  } | null
}

/** A stretch off the network that a user chose to ignore, found again by its cause and its place. */
export interface Ignored {
  readonly cause: string
  readonly place: Position
  readonly length_m: number
  readonly reason: string
}

/** Everything an undo takes back. Never altered: each operation returns another. */
export interface Revision {
  readonly mode: 'planner' | 'source'
  readonly profile: string
  readonly legs: readonly Leg[]
  /** In walking order. */
  readonly steps: readonly Step[]
  readonly ignored: readonly Ignored[]
  readonly distance_typed_m: number | null
  readonly duration_typed_s: number | null
  /** Whether it is a loop, as answered here; null where the sheet says it, which `unanswered` takes back. */
  readonly is_loop: boolean | 'unanswered' | null
  /** The recording; null without one, and where the stored line is the recording. */
  readonly source: SourceOf | null
}

export const emptyRevision = (profile: string): Revision => ({
  mode: 'planner',
  profile,
  legs: [],
  steps: [],
  ignored: [],
  distance_typed_m: null,
  duration_typed_s: null,
  is_loop: null,
  source: null,
})

let lastKey = 0
/** A key that no leg or step of this page has. */
export function newKey(): number {
  lastKey += 1
  return lastKey
}

/** After a draft is read back: keys made from now on are above its own. */
export function keysAbove(key: number): void {
  lastKey = Math.max(lastKey, key)
}

export function leg(kind: LegKind, line: readonly Position[], pending = false): Leg {
  return pending ? { key: newKey(), kind, line, pending: true } : { key: newKey(), kind, line }
}

export function step(kind: StepKind, position: Position, atM: number): Step {
  return {
    key: newKey(),
    kind,
    title: {},
    description: {},
    position,
    at_m: atM,
    distance_to_next_typed_m: null,
    duration_to_next_typed_s: null,
    practice_type_id: null,
    nights: null,
    line_ids: [],
  }
}

const lines = new WeakMap<readonly Leg[], readonly Position[]>()

/** The working line: the legs one after the other, their shared ends once. */
export function workingLine(legs: readonly Leg[]): readonly Position[] {
  const single = legs.length === 1 ? legs[0] : undefined
  if (single) return single.line
  const before = lines.get(legs)
  if (before) return before
  const out: Position[] = []
  for (const part of legs) {
    for (let index = out.length > 0 ? 1 : 0; index < part.line.length; index += 1) {
      const place = part.line[index]
      if (place) out.push(place)
    }
  }
  lines.set(legs, out)
  return out
}

/** The working line, measured. */
export const measured = (revision: Revision): MeasuredLine => measure(workingLine(revision.legs))

/** Where a leg begins and ends along the working line. */
export interface Span {
  readonly leg: Leg
  readonly index: number
  readonly from_m: number
  readonly to_m: number
}

/** Each leg with its place; each leg is measured once and for all. */
export function spans(legs: readonly Leg[]): Span[] {
  let from = 0
  return legs.map((part, index) => {
    const span = { leg: part, index, from_m: from, to_m: from + measure(part.line).lengthM }
    from = span.to_m
    return span
  })
}

export function lengthM(legs: readonly Leg[]): number {
  return legs.reduce((sum, part) => sum + measure(part.line).lengthM, 0)
}

/** Whether the trace ends where it starts. */
export function isClosed(revision: Revision): boolean {
  const line = workingLine(revision.legs)
  const first = line[0]
  const last = line[line.length - 1]
  return (
    first !== undefined &&
    last !== undefined &&
    line.length > 2 &&
    Math.abs(first[0] - last[0]) < 1e-6 &&
    Math.abs(first[1] - last[1]) < 1e-6
  )
}

/** Steps in walking order; of two at one place the departure comes first and the arrival last. */
export function inOrder(steps: readonly Step[]): Step[] {
  const weight = (one: Step) => (one.kind === 'departure' ? -1 : one.kind === 'arrival' ? 1 : 0)
  return steps.toSorted((a, b) => (Math.abs(a.at_m - b.at_m) > 0.01 ? a.at_m - b.at_m : weight(a) - weight(b)))
}

/** The place of the working line at `at_m`. */
export const placeAt = (revision: Revision, atM: number): Position | null => positionAt(measured(revision), atM)

/** Whether the trace can be saved: a line, a departure and an arrival. */
export function hasEnds(revision: Revision): boolean {
  return (
    revision.legs.length > 0 &&
    revision.steps.some((one) => one.kind === 'departure') &&
    revision.steps.some((one) => one.kind === 'arrival')
  )
}

export const isPending = (revision: Revision): boolean => revision.legs.some((part) => part.pending)
