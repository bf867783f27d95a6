import type { Parcours } from '@/api/model'
import { same } from '@/ui/form/paths'
import { toValues } from '../values'

/** One piece of a compared text. */
export interface Piece {
  kind: 'same' | 'out' | 'in'
  text: string
}

/** Beyond this many words the table of comparison would cost more than it tells. */
const maxWords = 1500

const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

/** Words struck and words underlined: the longest common run of words stays. */
export function diffWords(before: string, after: string): Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length > maxWords || b.length > maxWords) return [...piece('out', before), ...piece('in', after)]
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const down = common[(i + 1) * width + j] ?? 0
      const right = common[i * width + j + 1] ?? 0
      common[i * width + j] = a[i] === b[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right)
    }
  }
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      add(pieces, 'same', left)
      i++
      j++
    } else if (left !== undefined && (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))) {
      add(pieces, 'out', left)
      i++
    } else if (right !== undefined) {
      add(pieces, 'in', right)
      j++
    }
  }
  return pieces
}

const piece = (kind: Piece['kind'], text: string): Piece[] => (text === '' ? [] : [{ kind, text }])

function add(pieces: Piece[], kind: Piece['kind'], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === kind) last.text += text
  else pieces.push({ kind, text })
}

/** A field that two saves hold in two ways; for a text, the languages that differ. */
export interface Difference {
  field: string
  before: unknown
  after: unknown
}

/** What differs between two states of a sheet, field by field, in the order of the sheet; publication and trace beside. */
export function differences(before: Parcours, after: Parcours): Difference[] {
  const [old, now] = [toValues(before), toValues(after)]
  const fields = Object.keys(now).flatMap((field) => (same(old[field], now[field]) ? [] : [{ field, before: old[field], after: now[field] }]))
  const beside: Difference[] = []
  if (before.trace?.revision !== after.trace?.revision) beside.push({ field: 'trace', before: before.trace, after: after.trace })
  if (before.published !== after.published) beside.push({ field: 'published', before: before.published, after: after.published })
  return [...fields, ...beside]
}
