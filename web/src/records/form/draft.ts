import { hasSignedOut } from '@/api/who'

/** What was typed and not saved, kept on this device. */
export interface Draft {
  /** The version it was typed over; `null` for something new. */
  version: number | null
  savedAt: string
  /** Leaf path → value. */
  changes: Record<string, unknown>
}

const prefix = 'jalon.draft.'

/** The name a draft is kept under: one a person, a kind and a record. */
export const draftKey = (userId: number, kind: string, id: number | 'new') => `${prefix}${userId}.${kind}.${id}`

/** Keep a draft; `false` when the device has no room or refuses (private window). */
export function keepDraft(key: string, draft: Draft, store: Storage = localStorage): boolean {
  // The page that is left keeps its forms once more: what was just erased stays erased.
  if (hasSignedOut()) return false
  try {
    store.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function readDraft(key: string, store: Storage = localStorage): Draft | null {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? 'null')
    if (typeof value !== 'object' || value === null || !('changes' in value) || typeof value.changes !== 'object' || value.changes === null)
      return null
    return value as Draft
  } catch {
    return null
  }
}

export function dropDraft(key: string, store: Storage = localStorage): void {
  try {
    store.removeItem(key)
  } catch {
    // A device that keeps nothing has nothing to drop.
  }
}

const keysOf = (start: string, store: Storage): string[] =>
  Array.from({ length: store.length }, (_, i) => store.key(i)).filter((key): key is string => key?.startsWith(start) === true)

/** The drafts of one person and kind: for « Reprendre » on the home page. */
export function draftsOf(userId: number, kind: string, store: Storage = localStorage): { id: number | 'new'; draft: Draft }[] {
  const start = `${prefix}${userId}.${kind}.`
  return keysOf(start, store)
    .flatMap((key) => {
      const draft = readDraft(key, store)
      const id = key.slice(start.length)
      return draft === null ? [] : [{ id: id === 'new' ? ('new' as const) : Number(id), draft }]
    })
    .sort((a, b) => b.draft.savedAt.localeCompare(a.draft.savedAt))
}

/** How many forms of one person have a draft here. */
export const countDrafts = (userId: number, store: Storage = localStorage): number => keysOf(`${prefix}${userId}.`, store).length

/** Erases what this device keeps of one person: drafts of forms, and what they opened last. Others' stay. */
export function forgetPerson(userId: number, store: Storage = localStorage): void {
  for (const key of [...keysOf(`${prefix}${userId}.`, store), `jalon.recent.${userId}`]) dropDraft(key, store)
}

const waiting = new Set<() => void>()

/** Names what keeps the draft of an open form; call what it gives when the form closes. */
export function keepsOnDemand(keep: () => void): () => void {
  waiting.add(keep)
  return () => void waiting.delete(keep)
}

/** Keeps what was typed in open forms a moment ago, without waiting for the next pause. */
export const keepAllDrafts = (): void => waiting.forEach((keep) => keep())
