import type { Position } from './geo'
import type { Entry, History } from './history'
import { type Leg, type Revision, type Step, keysAbove } from './revision'

/** What is kept on the device. Lines are packed and written once, however many states of the history share them. */
export interface PackedDraft {
  readonly format: 1
  readonly parcours_id: number
  readonly base_version: number
  readonly kept_at_ms: number
  /** Longitude, latitude, elevation (NaN when unknown), point after point. */
  readonly lines: readonly Float64Array[]
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
  readonly line: number
}

export function pack(history: History, about: { parcours_id: number; base_version: number; kept_at_ms: number }): PackedDraft {
  const lines: Float64Array[] = []
  const known = new Map<readonly Position[], number>()
  const lineOf = (line: readonly Position[]): number => {
    const before = known.get(line)
    if (before !== undefined) return before
    const index = lines.push(packLine(line)) - 1
    known.set(line, index)
    return index
  }
  const entry = (one: Entry): PackedEntry => ({
    done: one.done,
    revision: {
      ...one.revision,
      legs: one.revision.legs.map((part) => ({ key: part.key, kind: part.kind, pending: part.pending === true, line: lineOf(part.line) })),
    },
  })
  return { format: 1, ...about, lines, past: history.past.map(entry), present: entry(history.present), future: history.future.map(entry) }
}

export function unpack(draft: PackedDraft): History {
  const lines = draft.lines.map(unpackLine)
  let top = 0
  const seen = (keys: readonly { key: number }[]): void => {
    for (const one of keys) top = Math.max(top, one.key)
  }
  const entry = (one: PackedEntry): Entry => {
    seen(one.revision.legs)
    seen(one.revision.steps)
    const legs = one.revision.legs.map((part): Leg => {
      const line = lines[part.line] ?? []
      return part.pending ? { key: part.key, kind: part.kind, line, pending: true } : { key: part.key, kind: part.kind, line }
    })
    return { done: one.done, revision: { ...one.revision, legs } }
  }
  const history = { past: draft.past.map(entry), present: entry(draft.present), future: draft.future.map(entry) }
  keysAbove(top)
  return history
}

function packLine(line: readonly Position[]): Float64Array {
  const out = new Float64Array(line.length * 3)
  line.forEach((place, index) => {
    out[index * 3] = place[0]
    out[index * 3 + 1] = place[1]
    out[index * 3 + 2] = place[2] ?? Number.NaN
  })
  return out
}

function unpackLine(packed: Float64Array): Position[] {
  const out: Position[] = []
  for (let index = 0; index + 2 < packed.length; index += 3) {
    const lon = packed[index] ?? 0
    const lat = packed[index + 1] ?? 0
    const ele = packed[index + 2] ?? Number.NaN
    out.push(Number.isNaN(ele) ? [lon, lat] : [lon, lat, ele])
  }
  return out
}

/** Where a draft is kept. */
export interface DraftStore {
  read(parcoursId: number): Promise<PackedDraft | null>
  write(draft: PackedDraft): Promise<void>
  forget(parcoursId: number): Promise<void>
}

/** Steps as one comparable text: to tell whether anything was changed. */
export const stepsText = (steps: readonly Step[]): string => JSON.stringify(steps.map(({ key: _key, ...rest }) => rest))
