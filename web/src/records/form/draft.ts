import { hasSignedOut } from '@/api/signed-in-user'

/** Unsaved changes of a form, stored on this device. */
export interface Draft {
  /** The version of the record that was changed; `null` for a new record. */
  version: number | null
  savedAt: string
  /** Leaf path → value. */
  changes: Record<string, unknown>
}

const prefix = 'jalon.draft.'

/** The name of the drafts of one form: a person, a kind and a record. */
export const draftKey = (userId: number, kind: string, id: number | 'new') => `${prefix}${userId}.${kind}.${id}`

/** An open form, among those of the same record in other windows. */
export const newOpening = (): string => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`

/** The name one open form keeps its draft under: a save in another window must not touch it. */
export const slotOf = (key: string, opening: string): string => `${key}~${opening}`
const formOf = (slot: string): string => slot.split('~')[0] ?? slot

/** Keep a draft; `false` when the device has no room or refuses (private window). */
export function keepDraft(slot: string, draft: Draft, store: Storage = localStorage): boolean {
  // The page that is left keeps its forms once more: what was just erased stays erased.
  if (hasSignedOut()) return false
  try {
    store.setItem(slot, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

function readSlot(slot: string, store: Storage): Draft | null {
  try {
    const value: unknown = JSON.parse(store.getItem(slot) ?? 'null')
    if (typeof value !== 'object' || value === null || !('changes' in value) || typeof value.changes !== 'object' || value.changes === null)
      return null
    return value as Draft
  } catch {
    return null
  }
}

/** Where the drafts of one form are stored: one for each window that left it unsaved. */
export const slotsOf = (key: string, store: Storage = localStorage): string[] => keysOf(key, store).filter((slot) => formOf(slot) === key)

/** A draft that a form offers, and where it is stored. */
export interface OfferedDraft {
  draft: Draft
  slots: readonly string[]
}

/** How many drafts of new records of one kind stay, and for how long. */
const newDrafts = 10
const newDraftMs = 60 * 24 * 60 * 60 * 1000

/** The drafts of one form, the latest first. All windows of a saved record share one draft; each unsaved new record is a draft of its own. */
export function offeredDrafts(key: string, store: Storage = localStorage): OfferedDraft[] {
  const slots = slotsOf(key, store)
  const isNew = key.endsWith('.new')
  const groups = isNew ? slots.map((slot) => [slot]) : [slots]
  const offered = groups
    .flatMap((group) => {
      const draft = mergedDraft(group, store)
      return draft === null ? [] : [{ draft, slots: group }]
    })
    .sort((a, b) => b.draft.savedAt.localeCompare(a.draft.savedAt))
  return isNew ? withoutOld(offered, store) : offered
}

/** Drops the drafts of new records that were not taken back in time, and those beyond the latest ones. */
function withoutOld(offered: readonly OfferedDraft[], store: Storage): OfferedDraft[] {
  const since = new Date(Date.now() - newDraftMs).toISOString()
  const stays = offered.slice(0, newDrafts).filter(({ draft }) => draft.savedAt >= since)
  for (const one of offered) if (!stays.includes(one)) one.slots.forEach((slot) => dropDraft(slot, store))
  return stays
}

/** The latest draft of one form. */
export const readDraft = (key: string, store: Storage = localStorage): Draft | null => offeredDrafts(key, store)[0]?.draft ?? null

/** The drafts of one record as one: of a field typed in two windows, the later value. */
function mergedDraft(slots: readonly string[], store: Storage): Draft | null {
  const kept = slots.flatMap((slot) => readSlot(slot, store) ?? []).sort((a, b) => a.savedAt.localeCompare(b.savedAt))
  return kept.reduce<Draft | null>(
    (before, { version, savedAt, changes }) => ({
      version: before === null || before.version === null || version === null ? version : Math.min(before.version, version),
      savedAt,
      changes: { ...before?.changes, ...changes },
    }),
    null,
  )
}

/** Whether something is kept under this very name. */
export function isKept(slot: string, store: Storage = localStorage): boolean {
  try {
    return store.getItem(slot) !== null
  } catch {
    return false
  }
}

export function dropDraft(slot: string, store: Storage = localStorage): void {
  try {
    store.removeItem(slot)
  } catch {
    // Without storage there are no drafts.
  }
}

/** Drops the drafts of one form that every window kept. */
export const dropDrafts = (key: string): void => slotsOf(key).forEach((slot) => dropDraft(slot))

function keysOf(start: string, store: Storage): string[] {
  try {
    return Array.from({ length: store.length }, (_, i) => store.key(i)).filter((key): key is string => key?.startsWith(start) === true)
  } catch {
    // A device that refuses to be read keeps nothing.
    return []
  }
}

/** The names of the forms with a draft, each once. */
const formsOf = (start: string, store: Storage): string[] => [...new Set(keysOf(start, store).map(formOf))]

/** The drafts of one person and kind: for « Reprendre » on the home page. */
export function draftsOf(userId: number, kind: string, store: Storage = localStorage): { id: number | 'new'; draft: Draft }[] {
  const start = `${prefix}${userId}.${kind}.`
  return formsOf(start, store)
    .flatMap((key) => {
      const id = key.slice(start.length)
      return offeredDrafts(key, store).map(({ draft }) => ({ id: id === 'new' ? ('new' as const) : Number(id), draft }))
    })
    .sort((a, b) => b.draft.savedAt.localeCompare(a.draft.savedAt))
}

/** How many records of one person have a draft here. */
export const countDrafts = (userId: number, store: Storage = localStorage): number =>
  formsOf(`${prefix}${userId}.`, store).flatMap((key) => offeredDrafts(key, store)).length

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
