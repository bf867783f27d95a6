import { packLine, unpackLine as unpackPoints } from '@/api/long/pack'
import type { Position } from './geo'
import type { Entry, History } from './history'
import { type Leg, type Revision, keysAbove } from './revision'

/** A line in a stored draft: longitude, latitude, elevation (NaN when unknown), point after point. */
export interface PackedLine {
  readonly id: string
  readonly points: Float64Array
}

/** The form stored on the device. Lines are packed and written once, however many states of the history share them. */
export interface PackedDraft {
  readonly format: 2
  readonly parcours_id: number
  readonly base_version: number
  readonly kept_at_ms: number
  readonly lines: readonly PackedLine[]
  readonly past: readonly PackedEntry[]
  readonly present: PackedEntry
  readonly future: readonly PackedEntry[]
}

interface PackedEntry {
  readonly done: string
  readonly revision: Omit<Revision, 'legs'> & { readonly legs: readonly PackedLeg[] }
}

interface PackedLeg {
  readonly key: number
  readonly kind: Leg['kind']
  readonly pending: boolean
  readonly line: string
}

export function pack(history: History, about: { parcours_id: number; base_version: number; kept_at_ms: number }): PackedDraft {
  const lines = new Map<string, PackedLine>()
  const lineOf = (line: readonly Position[]): string => {
    const one = packedOnce(line)
    lines.set(one.id, one)
    return one.id
  }
  const entry = (one: Entry): PackedEntry => ({
    done: one.done,
    revision: {
      ...one.revision,
      legs: one.revision.legs.map((part) => ({ key: part.key, kind: part.kind, pending: part.pending === true, line: lineOf(part.line) })),
    },
  })
  const states = { past: history.past.map(entry), present: entry(history.present), future: history.future.map(entry) }
  return { format: 2, ...about, ...states, lines: [...lines.values()] }
}

export function unpack(draft: PackedDraft): History {
  const lines = new Map(draft.lines.map((line) => [line.id, unpackLine(line)]))
  let top = 0
  const seen = (keys: readonly { key: number }[]): void => {
    for (const one of keys) top = Math.max(top, one.key)
  }
  const entry = (one: PackedEntry): Entry => {
    seen(one.revision.legs)
    seen(one.revision.steps)
    const legs = one.revision.legs.map((part): Leg => {
      const line = lines.get(part.line) ?? []
      return part.pending ? { key: part.key, kind: part.kind, line, pending: true } : { key: part.key, kind: part.kind, line }
    })
    // Drafts of older versions do not have it.
    const ignored = one.revision.ignored ?? []
    const source = one.revision.source ?? null
    const steps = one.revision.steps.map((place) => ({ ...place, line_ids: place.line_ids ?? [] }))
    return { done: one.done, revision: { ...one.revision, legs, ignored, source, steps, is_loop: one.revision.is_loop ?? null } }
  }
  const history = { past: draft.past.map(entry), present: entry(draft.present), future: draft.future.map(entry) }
  keysAbove(top)
  return history
}

const packed = new WeakMap<readonly Position[], PackedLine>()

/** A line never changes: it is packed the first time, and has the same name ever after. */
function packedOnce(line: readonly Position[]): PackedLine {
  const before = packed.get(line)
  if (before) return before
  const one = { id: crypto.randomUUID(), points: packLine(line) }
  packed.set(line, one)
  return one
}

function unpackLine(line: PackedLine): Position[] {
  const out = unpackPoints(line.points)
  packed.set(out, line)
  return out
}

/** The storage of a draft. */
export interface DraftStore {
  read(parcoursId: number): Promise<PackedDraft | null>
  write(draft: PackedDraft): Promise<void>
  /** Deletes the draft of a parcours if it is the one kept at this moment: another window may have replaced it by its own. */
  forget(parcoursId: number, keptAtMs: number): Promise<void>
}
