import type { Leg as WireLeg, Parcours, Position, Step as WireStep, StepInput, Trace, TraceInput } from '@/api/model'
import { ignoredOf, toIgnoredInput } from './ignored'
import { locateInOrder } from './locate'
import { measure } from '@/ui/map/line'
import { type Revision, type Step, emptyRevision, inOrder, leg, newKey, workingLine } from './revision'

/** The working revision that the server holds. */
export function fromServer(trace: Trace | null, parcours: Parcours, profile: string): Revision {
  const legs = (trace?.legs ?? []).filter((part) => part.line.length > 1).map((part) => leg(part.kind, part.line))
  const empty = emptyRevision(trace?.profile ?? profile)
  return {
    ...empty,
    mode: trace?.mode ?? 'planner',
    legs,
    steps: placed(parcours.steps.map(fromStep), workingLine(legs)),
    ignored: ignoredOf(trace?.reliability?.gaps ?? []),
    distance_typed_m: trace?.distance_typed_m ?? null,
    duration_typed_s: trace?.duration_typed_s ?? null,
  }
}

function fromStep(one: WireStep): Step {
  return {
    key: newKey(),
    id: one.id,
    kind: one.kind,
    title: one.title,
    description: one.description,
    position: one.position,
    at_m: one.at_m,
    distance_to_next_typed_m: one.distance_to_next_typed_m,
    duration_to_next_typed_s: one.duration_to_next_typed_s,
    practice_type_id: one.practice_type_id,
    nights: one.nights,
  }
}

/** Each step at its place of the working line: the server counts along the line the app uses, which the planner may have drawn. */
function placed(steps: readonly Step[], line: readonly Position[]): Step[] {
  if (line.length < 2) return steps.map((one) => ({ ...one, at_m: 0 }))
  const whole = measure(line)
  const found = locateInOrder(whole, steps.map((one) => one.position))
  return inOrder(
    steps.map((one, index) => {
      if (one.kind === 'departure') return { ...one, at_m: 0 }
      if (one.kind === 'arrival') return { ...one, at_m: whole.lengthM }
      return { ...one, at_m: found[index]?.atM ?? 0 }
    }),
  )
}

export const toLegs = (revision: Revision): WireLeg[] => revision.legs.map(({ kind, line }) => ({ kind, line: [...line] }))

const toStep = (one: Step, atM: number): StepInput => ({
  ...(one.id === undefined ? {} : { id: one.id }),
  kind: one.kind,
  title: one.title,
  description: one.description,
  position: one.position,
  at_m: atM,
  distance_to_next_typed_m: one.distance_to_next_typed_m,
  duration_to_next_typed_s: one.duration_to_next_typed_s,
  practice_type_id: one.practice_type_id,
  nights: one.nights,
})

/** What is saved; the places of the steps count along the line that the app uses. */
export function toInput(revision: Revision, forced: boolean, shown: readonly { at_m: number }[]): TraceInput {
  return {
    mode: revision.mode,
    profile: revision.profile,
    legs: toLegs(revision),
    ignored_gaps: toIgnoredInput(revision),
    steps: revision.steps.map((one, index) => toStep(one, shown[index]?.at_m ?? one.at_m)),
    distance_typed_m: revision.distance_typed_m,
    duration_typed_s: revision.duration_typed_s,
    forced,
  }
}

/** After a save the steps have ids: each gets its own by rank, so that the next save changes them instead of making others. */
export function withIds(revision: Revision, saved: readonly WireStep[]): Revision {
  if (saved.length !== revision.steps.length) return revision
  return { ...revision, steps: revision.steps.map((one, index) => ({ ...one, id: saved[index]?.id ?? one.id })) }
}
