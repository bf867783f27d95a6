import type { Entry } from './entry'

/** The entries of one person on this device. Each call is one transaction: it is done whole or not at all. */
export interface EntryStore {
  all: () => Promise<Entry[]>
  get: (id: string) => Promise<Entry | null>
  /**
   * Writes an entry with the bytes of its new photos; photos that it no longer names are deleted. False, and nothing is written, where
   * the entry left for the server meanwhile.
   */
  save: (entry: Entry, photos: ReadonlyMap<string, Blob>) => Promise<boolean>
  /** Reads, changes and writes an entry; `null` from `change` writes nothing. Returns what was written. */
  change: (id: string, change: (entry: Entry) => Entry | null) => Promise<Entry | null>
  photo: (key: string) => Promise<Blob | null>
  remove: (id: string) => Promise<void>
}

/** The keys of the photos whose bytes are still needed: none once the server has the entry. */
export const keptPhotos = (entry: Entry): ReadonlySet<string> => new Set(entry.state === 'sent' ? [] : entry.photos.map(({ key }) => key))
