import type { Fault } from '@/api/problem'
import type { GroundEntryInput } from '@/api/types'

/** A photo of an entry. Its bytes are stored beside the entry, under `key`. */
export interface EntryPhoto {
  key: string
  bytes: number
  /** Where the upload is on the server, once it began. */
  uploadUrl: string | null
  /** The media that the server made of it. */
  mediaId: number | null
}

/** What a person writes: the body of the request, without what is known only when it is sent. */
export type EntryContent = Required<Omit<GroundEntryInput, 'sent_at' | 'media_ids'>>

/** Why the server refused an entry, as it is stored. */
export interface Refusal {
  status: number
  code: string
  params: Record<string, unknown>
  faults: Fault[]
}

/** One entry of the queue on the device. */
export interface Entry {
  /** Made on the device: the same request twice is one entry on the server. */
  id: string
  content: EntryContent
  /** Name of the parcours, to show it without network. */
  parcoursName: string | null
  photos: EntryPhoto[]
  state: 'waiting' | 'refused' | 'sent'
  /** A request with this content left and its answer is not known: the entry may be on the server, so it cannot be changed. */
  asked: boolean
  refusal: Refusal | null
  sentAt: string | null
  /** It went in without a review. */
  isTakenIn: boolean
}

export const newEntry = (id: string, content: EntryContent, parcoursName: string | null): Entry => ({
  id,
  content,
  parcoursName,
  photos: [],
  state: 'waiting',
  asked: false,
  refusal: null,
  sentAt: null,
  isTakenIn: false,
})

/** Whether a person may change the content: nothing with this identifier can be on the server. */
export const isEditable = (entry: Entry): boolean => entry.state === 'refused' || (entry.state === 'waiting' && !entry.asked)

/** A moment as the server reads it: whole seconds. */
export const instantOf = (moment: Date): string => moment.toISOString().replace(/\.\d+Z$/, 'Z')

/** The body of the request. The server corrects `made_at` by the difference between its clock and `sent_at`. */
export const bodyOf = (entry: Entry, now: Date): GroundEntryInput => ({
  ...entry.content,
  sent_at: instantOf(now),
  media_ids: entry.photos.flatMap(({ mediaId }) => (mediaId === null ? [] : [mediaId])),
})
