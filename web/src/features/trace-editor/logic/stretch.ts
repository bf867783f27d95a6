import { samePlace } from './geo'
import { measure, nearest, positionAt, sliceLine } from '@/records/map/line'
import { type Leg, type Revision, type Span, type Step, inOrder, leg, lengthM, spans } from './revision'

/** Two joints closer than this are one. */
const JOINT_M = 0.05

/** Cuts the leg at `at_m` in two, so that there is a joint. The line stays the same. */
export function splitLegs(legs: readonly Leg[], atM: number): readonly Leg[] {
  const span = spans(legs).find((one) => atM > one.from_m + JOINT_M && atM < one.to_m - JOINT_M)
  if (!span) return legs
  const whole = measure(span.leg.line)
  const at = atM - span.from_m
  const parts = [sliceLine(whole, 0, at), sliceLine(whole, at, whole.lengthM)].map((line) =>
    leg(span.leg.kind, line, span.leg.pending === true),
  )
  return legs.toSpliced(span.index, 1, ...parts)
}

/** A joint at `at_m`: both sides can then be re-planned apart. */
export const split = (revision: Revision, atM: number): Revision => ({ ...revision, legs: splitLegs(revision.legs, atM) })

/** Puts `replacement` where the stretch from `from_m` to `to_m` was. Steps after it keep their place on the ground. */
export function replaceStretch(revision: Revision, fromM: number, toM: number, replacement: readonly Leg[]): Revision {
  const legs = splitLegs(splitLegs(revision.legs, fromM), toM)
  const all = spans(legs)
  const before = all.filter((one) => one.to_m <= fromM + JOINT_M).map((one) => one.leg)
  const after = all.filter((one) => one.from_m >= toM - JOINT_M).map((one) => one.leg)
  const grown = lengthM(replacement) - (toM - fromM)
  return {
    ...revision,
    legs: joinEnds([...before, ...replacement, ...after]),
    steps: revision.steps.map((one) => shifted(one, fromM, toM, grown, replacement)),
  }
}

function shifted(one: Step, fromM: number, toM: number, grown: number, replacement: readonly Leg[]): Step {
  if (one.at_m <= fromM + JOINT_M) return one
  if (one.at_m >= toM - JOINT_M) return { ...one, at_m: one.at_m + grown }
  const share = toM > fromM ? (one.at_m - fromM) / (toM - fromM) : 0
  return placeWithin(one, fromM, replacement, share)
}

/** A step inside a stretch that changed: at the nearest place of the new line, else at the same share of it. */
function placeWithin(one: Step, fromM: number, replacement: readonly Leg[], share: number): Step {
  const line = replacement.flatMap((part) => part.line)
  const whole = measure(line)
  const near = nearest(whole, one.position, { withinM: 50 })
  const at = near ? near.atM : whole.lengthM * share
  return { ...one, at_m: fromM + at, position: positionAt(whole, at) ?? one.position }
}

/** Makes consecutive legs share their end point: the later leg starts where the earlier one ends. */
export function joinEnds(legs: readonly Leg[]): readonly Leg[] {
  return legs.map((part, index) => {
    const end = legs[index - 1]?.line.at(-1)
    const start = part.line[0]
    if (!end || !start || (end[0] === start[0] && end[1] === start[1])) return part
    const rest = samePlace(end, start) ? part.line.slice(1) : part.line
    return { ...part, line: [end, ...rest] }
  })
}

/** Keeps only the part from `from_m` to `to_m`; the steps outside are removed, and the ends become departure and arrival. */
export function keepBetween(revision: Revision, fromM: number, toM: number): Revision {
  const total = lengthM(revision.legs)
  const from = Math.max(0, Math.min(fromM, toM))
  const to = Math.min(total, Math.max(fromM, toM))
  if (to - from < 1) return revision
  const legs = spans(splitLegs(splitLegs(revision.legs, from), to))
    .filter((one) => one.from_m >= from - JOINT_M && one.to_m <= to + JOINT_M && one.to_m > one.from_m)
    .map((one) => one.leg)
  const inside = revision.steps
    .filter((one) => one.at_m >= from - JOINT_M && one.at_m <= to + JOINT_M)
    .map((one) => ({ ...one, at_m: Math.min(to - from, Math.max(0, one.at_m - from)) }))
  const cut = { ...revision, legs, steps: inside }
  return withEndSteps(cut, revision.steps)
}

/** Departure at the start and arrival at the end: existing ones move with their titles only when they were at the ends. */
function withEndSteps(revision: Revision, before: readonly Step[]): Revision {
  const total = lengthM(revision.legs)
  const line = { first: revision.legs[0]?.line[0], last: revision.legs.at(-1)?.line.at(-1) }
  let steps = [...revision.steps]
  for (const end of [
    { kind: 'departure', at_m: 0, place: line.first },
    { kind: 'arrival', at_m: total, place: line.last },
  ] as const) {
    const had = before.find((one) => one.kind === end.kind)
    if (!had || !end.place || steps.some((one) => one.kind === end.kind)) continue
    const there = steps.find((one) => Math.abs(one.at_m - end.at_m) < 1)
    if (there) steps = steps.map((one) => (one === there ? { ...one, kind: end.kind, at_m: end.at_m } : one))
    else
      steps.push({
        ...had,
        title: {},
        description: {},
        position: end.place,
        at_m: end.at_m,
        distance_to_next_typed_m: null,
        duration_to_next_typed_s: null,
      })
  }
  return { ...revision, steps: inOrder(steps) }
}

/** Makes one leg of the two that meet at joint `index` (0 = between the first and the second), where they are of one kind. */
export function join(revision: Revision, index: number): Revision {
  const a = revision.legs[index]
  const b = revision.legs[index + 1]
  if (!a || !b || a.kind !== b.kind || a.pending || b.pending) return revision
  return { ...revision, legs: revision.legs.toSpliced(index, 2, leg(a.kind, [...a.line, ...b.line.slice(1)])) }
}

/** The leg that contains `at_m`; at a joint, the one before it. */
export function spanAt(legs: readonly Leg[], atM: number): Span | undefined {
  const all = spans(legs)
  return all.find((one) => atM >= one.from_m && atM <= one.to_m + JOINT_M) ?? all.at(-1)
}
