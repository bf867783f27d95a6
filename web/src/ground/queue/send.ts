import { ProblemError } from '@/api/problem'
import type { GroundEntry, GroundEntryInput } from '@/api/types'
import { bodyOf, type Entry, type EntryPhoto } from './entry'
import type { EntryStore } from './store'

/** The requests that send entries. Each rejects with a `ProblemError`. */
export interface EntryApi {
  /** The number of the person who is signed in. */
  signedIn: () => Promise<number>
  /** Sends a photo, or goes on where `url` stopped; returns the media that the server made of it. */
  upload: (
    photo: Blob,
    options: { key: string; url: string | null; onUrl: (url: string) => Promise<void>; onSent: (bytes: number) => void },
  ) => Promise<number>
  put: (id: string, body: GroundEntryInput) => Promise<GroundEntry>
}

export interface SendProgress {
  id: string
  /** 0 to 1. */
  share: number
}

/** Why a run of sending ended. */
export type SendEnd =
  | { kind: 'done' }
  /** The session ended. */
  | { kind: 'signed-out' }
  /** Another person is signed in: what waits is not theirs. */
  | { kind: 'other-person' }
  /** The server does not answer, or asks to wait; `sent` entries reached it in this run. */
  | { kind: 'away'; retryAfterS: number | null; sent: number }

export interface SendContext {
  store: EntryStore
  api: EntryApi
  userId: number
  now: () => Date
  onProgress: (progress: SendProgress | null) => void
}

/** A photo that is no longer on the device: the person deletes or changes the entry. */
export const PHOTO_LOST = 'ground/photo-lost'

/**
 * Sends what waits, one entry after the other, the first made first. A step is stored before the next one begins: a run that is cut
 * at any place is taken up by the next one. A refused entry stays, and the others go on.
 */
export async function sendWaiting(context: SendContext): Promise<SendEnd> {
  const waiting = (await context.store.all()).filter(({ state }) => state === 'waiting')
  waiting.sort((one, other) => one.content.made_at.localeCompare(other.content.made_at))
  let sent = 0
  try {
    for (const { id } of waiting) {
      const end = await sendOne(context, id)
      if (end?.kind === 'away') return { ...end, sent }
      if (end !== null) return end
      sent += 1
    }
  } finally {
    context.onProgress(null)
  }
  return { kind: 'done' }
}

/** Null where the next entry may go on. */
async function sendOne(context: SendContext, id: string): Promise<SendEnd | null> {
  const { store, api, userId, now } = context
  try {
    if ((await api.signedIn()) !== userId) return { kind: 'other-person' }
    await sendPhotos(context, id)
    const entry = await store.change(id, (before) =>
      before.state === 'waiting' && before.photos.every(({ mediaId }) => mediaId !== null) ? { ...before, asked: true } : null,
    )
    // Deleted or changed meanwhile: the next run takes it.
    if (entry === null) return null
    const { reviewed_at } = await api.put(id, bodyOf(entry, now()))
    const sent = { state: 'sent', asked: false, refusal: null, sentAt: now().toISOString(), isTakenIn: reviewed_at !== null } as const
    await store.change(id, (before) => ({ ...before, ...sent }))
    return null
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.status === 401) return { kind: 'signed-out' }
    if (isAway(error.status)) return { kind: 'away', retryAfterS: error.retryAfterS ?? null, sent: 0 }
    await refuse(store, id, error)
    return null
  }
}

/** No answer, or one that says nothing about the entry. */
const isAway = (status: number): boolean =>
  status === 0 || status === 408 || status === 423 || status === 425 || status === 429 || status >= 500

async function sendPhotos({ store, api, onProgress }: SendContext, id: string): Promise<void> {
  const entry = await store.get(id)
  if (entry === null || entry.state !== 'waiting') return
  const total = entry.photos.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  onProgress({ id, share: 0 })
  for (const { key, bytes, uploadUrl, mediaId } of entry.photos) {
    if (mediaId === null) {
      const photo = await store.photo(key)
      if (photo === null) throw new ProblemError(422, { code: PHOTO_LOST })
      const before = done
      const made = await api.upload(photo, {
        key,
        url: uploadUrl,
        onUrl: async (url) => void (await store.change(id, (now) => withPhoto(now, key, { uploadUrl: url }))),
        onSent: (sent) => onProgress({ id, share: total === 0 ? 0 : (before + sent) / total }),
      })
      await store.change(id, (now) => withPhoto(now, key, { mediaId: made }))
    }
    done += bytes
    onProgress({ id, share: total === 0 ? 0 : done / total })
  }
}

const withPhoto = (entry: Entry, key: string, change: Partial<EntryPhoto>): Entry => ({
  ...entry,
  photos: entry.photos.map((photo) => (photo.key === key ? { ...photo, ...change } : photo)),
})

async function refuse(store: EntryStore, id: string, { status, code, params, faults }: ProblemError): Promise<void> {
  await store.change(id, (entry) => ({ ...entry, state: 'refused', asked: false, refusal: { status, code, params, faults } }))
}

/** How long to wait after the `attempt`th failure in a row, in milliseconds: 5 s, doubled up to 5 min, or what the server asks for. */
export const pauseMs = (attempt: number, retryAfterS: number | null): number =>
  retryAfterS === null ? Math.min(300_000, 5000 * 2 ** Math.max(0, attempt - 1)) : retryAfterS * 1000
