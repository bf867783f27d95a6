import type { Media } from '@/api/types'
import type { Match, Proposal, Reason } from './match'
import type { Outcome, Task } from './write'

/** What a person decided for a photo instead of what was found: another record, or none yet. */
export type Choices = ReadonlyMap<string, number | null>

/** One photo with the record it goes to. */
export interface Row {
  match: Match
  media: Media
  recordId: number | null
  /** The proposal that is taken; none for a record chosen by hand. */
  taken: Proposal | undefined
  reason: Reason | null
  isAttached: boolean
  isTicked: boolean
}

/** The key of a media file in a record. */
export const pairOf = (recordId: number, mediaId: number): string => `${recordId} ${mediaId}`

interface Decided {
  choices: Choices
  unticked: ReadonlySet<string>
  /** Pairs of record and media file that are attached already. */
  attached: ReadonlySet<string>
}

/** The rows of the matches: a single proposal is taken, among several a person chooses. */
export function rowsOf(matches: readonly Match[], mediaFiles: readonly Media[], { choices, unticked, attached }: Decided): Row[] {
  const byId = new Map(mediaFiles.map((media) => [media.id, media]))
  return matches.flatMap((match): Row[] => {
    const media = byId.get(match.photoId)
    if (media === undefined) return []
    const { key, proposals } = match
    const only = proposals.length === 1 ? proposals[0] : undefined
    const chosen = choices.get(key)
    const recordId = chosen === undefined ? (only?.id ?? null) : chosen
    const taken = proposals.find(({ id }) => id === recordId)
    const isAttached = recordId !== null && attached.has(pairOf(recordId, media.id))
    const reason: Reason | null = recordId === null ? null : (taken?.reason ?? { how: 'hand' })
    return [{ match, media, recordId, taken, reason, isAttached, isTicked: recordId !== null && !isAttached && !unticked.has(key) }]
  })
}

export type State = 'ready' | 'attached' | 'several' | 'none' | 'unticked'
export const states = ['ready', 'attached', 'several', 'none', 'unticked'] as const satisfies readonly State[]

export function stateOf({ recordId, match, isAttached, isTicked }: Row): State {
  if (recordId === null) return match.proposals.length > 1 ? 'several' : 'none'
  if (isAttached) return 'attached'
  return isTicked ? 'ready' : 'unticked'
}

/** The ticked rows, record by record, in the order of the rows. */
export function tasksOf(rows: readonly Row[]): Task[] {
  const tasks = new Map<number, number[]>()
  for (const { recordId, media, isTicked } of rows) {
    if (recordId !== null && isTicked) tasks.set(recordId, [...new Set([...(tasks.get(recordId) ?? []), media.id])])
  }
  return [...tasks].map(([id, mediaIds]) => ({ id, mediaIds }))
}

/** The pairs that a run attached, or found attached. */
export const pairsOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ state, task }) => (state === 'refused' ? [] : task.mediaIds.map((mediaId) => pairOf(task.id, mediaId))))

/** The records to read so as to know what is attached: those of photos that something uses. */
export const readFor = (rows: readonly Row[]): number[] =>
  [...new Set(rows.flatMap(({ recordId, media }) => (recordId !== null && media.uses_total > 0 ? [recordId] : [])))].toSorted(
    (a, b) => a - b,
  )
