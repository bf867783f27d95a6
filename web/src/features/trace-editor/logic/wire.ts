import type { AnalysisInput, Leg as WireLeg, Parcours, Position, Step as WireStep, StepInput, Trace, TraceInput } from '@/api/types'
import { ignoredOf, toIgnoredInput } from './ignored'
import { locateInOrder } from './locate'
import { distanceM } from '@/records/map/geo'
import { measure } from '@/records/map/line'
import { type Revision, type SourceOf, type Step, emptyRevision, inOrder, leg, newKey, workingLine } from './revision'

/** The working revision made from the server's trace. */
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
    is_loop: null,
    source: trace ? sourceOf(trace) : null,
  }
}

/** The recording of a saved trace. */
export const sourceOf = (trace: Trace): SourceOf => ({
  revision: trace.revision,
  sha256: trace.source_file?.sha256 ?? null,
  line: trace.source_line,
  file: null,
})

function fromStep(one: WireStep): Step {
  return {
    key: newKey(),
    id: one.id,
    kind: one.kind,
    title: one.title,
    description: one.description,
    position: one.position,
    at_m: one.at_m ?? 0,
    distance_to_next_typed_m: one.distance_to_next_typed_m,
    duration_to_next_typed_s: one.duration_to_next_typed_s,
    practice_type_id: one.practice_type_id,
    nights: one.nights,
    line_ids: one.line_ids ?? [],
  }
}

/** Each step at its place on the working line: the server measures along the line that the app shows, which may be the planned one. */
function placed(steps: readonly Step[], line: readonly Position[]): Step[] {
  if (line.length < 2) return steps.map((one) => ({ ...one, at_m: 0 }))
  const whole = measure(line)
  const found = locateInOrder(
    whole,
    steps.map((one) => one.position),
  )
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
  id: one.id ?? null,
  kind: one.kind,
  title: one.title,
  description: one.description,
  position: one.position,
  at_m: atM,
  distance_to_next_typed_m: one.distance_to_next_typed_m,
  duration_to_next_typed_s: one.duration_to_next_typed_s,
  practice_type_id: one.practice_type_id,
  nights: one.nights,
  line_ids: [...one.line_ids],
})

/** The body of a save; the places of the steps are metres along the line that the app shows. */
export function toInput(revision: Revision, forced: boolean, shown: readonly { at_m: number }[], kept: Trace | null): TraceInput {
  return {
    ...toSource(revision.source, kept),
    ...(revision.is_loop === null ? {} : { is_loop: revision.is_loop === 'unanswered' ? null : revision.is_loop }),
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

/** The recording, if the server has another one: a new file, or the recording of an earlier revision after an undo. */
function toSource(source: SourceOf | null, kept: Trace | null): Pick<TraceInput, 'source'> {
  if (source?.file) {
    const { name, bytes, join, without_repairs } = source.file
    return {
      source: { from: 'file', name, bytes: base64(bytes), ...(join === null ? {} : { join }), without_repairs: [...without_repairs] },
    }
  }
  const revision = otherRevision(source, kept)
  return revision === null ? {} : { source: { from: 'revision', revision } }
}

/** The revision of the trace that has the recording, where it is not the one in use. */
function otherRevision(source: SourceOf | null, kept: Trace | null): number | null {
  const isKept = !source || !kept || source.sha256 === (kept.source_file?.sha256 ?? null)
  return isKept ? null : source.revision
}

/** Where the server has the recording behind a revision; nowhere while its file is not saved. */
export function toRecording(
  source: SourceOf | null,
  kept: Trace | null,
  parcoursId: number,
): Pick<AnalysisInput, 'parcours_id' | 'source_revision'> {
  if (source?.file) return { parcours_id: null, source_revision: null }
  return { parcours_id: parcoursId, source_revision: otherRevision(source, kept) }
}

/** Bytes per call of `fromCharCode`: JavaScript engines limit the number of arguments. */
const AT_ONCE = 32_768

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE))
  return btoa(text)
}

/** A step that the server put further away than this was moved, in metres. */
const RELOCATED_M = 50

/**
 * The revision after a save: new steps get the ids of the server in the order in which they were sent, steps that the server moved
 * get their new place, and the recording is the stored one.
 */
export function asSaved(revision: Revision, trace: Trace, saved: readonly WireStep[]): Revision {
  const known = new Map(saved.map((one) => [one.id, one]))
  const sent = new Set(revision.steps.map((one) => one.id))
  const fresh = saved.filter((one) => !sent.has(one.id)).toSorted((a, b) => a.id - b.id)
  const steps = revision.steps.map((one): Step => {
    const id = one.id !== undefined && known.has(one.id) ? one.id : fresh.shift()?.id
    return id === undefined ? one : { ...one, id }
  })
  const now = { ...revision, steps, source: sourceOf(trace) }
  const place = (one: Step) => (one.id === undefined ? undefined : known.get(one.id)?.position)
  if (steps.every((one) => distanceM(place(one) ?? one.position, one.position) <= RELOCATED_M)) return now
  return {
    ...now,
    steps: placed(
      steps.map((one) => ({ ...one, position: place(one) ?? one.position })),
      workingLine(revision.legs),
    ),
  }
}
