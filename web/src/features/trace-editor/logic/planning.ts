import { type Position, samePlace } from './geo'
import { measure, nearest, positionAt } from '@/records/map/line'
import { type Leg, type Revision, type Step, inOrder, leg, spans } from './revision'

/** A stretch that waits for the planner's answer, with its ends. */
export interface Wish {
  readonly key: number
  readonly from: Position
  readonly to: Position
  readonly profile: string
}

/** The stretches to request from the planner. */
export function wishes(revision: Revision): Wish[] {
  return revision.legs.flatMap((part) => {
    const from = part.line[0]
    const to = part.line.at(-1)
    return part.pending && from && to ? [{ key: part.key, from, to, profile: revision.profile }] : []
  })
}

/** The same question gives the same answer: its name in the cache of answers. */
export const wishName = (wish: Wish): string => `${wish.profile} ${wish.from[0]},${wish.from[1]} ${wish.to[0]},${wish.to[1]}`

/**
 * Puts the planner's lines where their ghosts were, all at once.
 * The planner snaps its ends to the network: steps at a joint go with it, and neighbours that stay are joined to the new end.
 */
export function resolve(revision: Revision, answers: ReadonlyMap<number, readonly Position[]>): Revision {
  if (!revision.legs.some((part) => answers.has(part.key))) return revision
  const before = spans(revision.legs)
  const legs = joined(before.map((span) => answered(span.leg, answers)))
  const after = spans(legs)
  const steps = revision.steps.map((one) => moved(one, before, after))
  return { ...revision, legs, steps: inOrder(steps) }
}

function answered(part: Leg, answers: ReadonlyMap<number, readonly Position[]>): Leg {
  const line = answers.get(part.key)
  return line && line.length > 1 ? { key: part.key, kind: 'planned', line } : part
}

/** Planned ends win over what was clicked; two planned ends that differ are joined by a straight bit. */
function joined(legs: readonly Leg[]): Leg[] {
  const out: Leg[] = []
  for (const part of legs) {
    const previous = out.at(-1)
    const end = previous?.line.at(-1)
    const start = part.line[0]
    if (!previous || !end || !start || (end[0] === start[0] && end[1] === start[1])) out.push(part)
    else if (previous.kind !== 'planned' && part.kind === 'planned') out.splice(-1, 1, withEnd(previous, start), part)
    else out.push(withStart(part, end))
  }
  return out
}

/** A ghost or a free stretch goes straight to the new end; a recorded line keeps its points and gets one more. */
function withEnd(part: Leg, end: Position): Leg {
  const last = part.line.at(-1)
  const drop = part.kind === 'free' || (last !== undefined && samePlace(last, end))
  return { ...part, line: [...(drop && part.line.length > 1 ? part.line.slice(0, -1) : part.line), end] }
}

function withStart(part: Leg, start: Position): Leg {
  const first = part.line[0]
  const drop = part.kind === 'free' || part.pending === true || (first !== undefined && samePlace(first, start))
  return { ...part, line: [start, ...(drop && part.line.length > 1 ? part.line.slice(1) : part.line)] }
}

type Spans = ReturnType<typeof spans>

function moved(one: Step, before: Spans, after: Spans): Step {
  const index = before.findIndex((span) => one.at_m >= span.from_m - 0.5 && one.at_m <= span.to_m + 0.5)
  const was = before[index]
  const is = after[index]
  if (!was || !is) return one
  const atStart = one.at_m <= was.from_m + 0.5
  const atEnd = one.at_m >= was.to_m - 0.5
  if (atStart) return { ...one, at_m: is.from_m, position: is.leg.line[0] ?? one.position }
  if (atEnd) return { ...one, at_m: is.to_m, position: is.leg.line.at(-1) ?? one.position }
  const shift = is.from_m - was.from_m
  if (was.leg.line === is.leg.line) return { ...one, at_m: one.at_m + shift }
  const line = measure(is.leg.line)
  const share = (one.at_m - was.from_m) / (was.to_m - was.from_m)
  const near = nearest(line, one.position, { withinM: 50 })
  const at = near ? near.atM : line.lengthM * share
  return { ...one, at_m: is.from_m + at, position: near ? (positionAt(line, at) ?? one.position) : one.position }
}

/** After a refusal: the stretches that could not be planned, as straight free ones. What « Passer en tronçon libre » does. */
export function freeInstead(revision: Revision): Revision {
  return { ...revision, legs: revision.legs.map((part) => (part.pending ? leg('free', part.line) : part)) }
}
