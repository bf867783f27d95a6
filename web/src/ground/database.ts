import type { Entry } from './queue/entry'
import { keptPhotos, type EntryStore } from './queue/store'
import type { Taken } from './taken/taken'

const ENTRIES = 'entries'
/** Bytes of photos, by the key of the photo. */
const PHOTOS = 'photos'
const TAKEN = 'taken'

/** The parcours that a person took with them. */
export interface TakenStore {
  all: () => Promise<Taken[]>
  get: (id: number) => Promise<Taken | null>
  put: (taken: Taken) => Promise<void>
  remove: (id: number) => Promise<void>
}

type Written = 'entries' | 'taken'

export interface GroundDatabase {
  entries: EntryStore
  taken: TakenStore
  /** Calls `listener` after each write of entries or of parcours, also of another tab. Returns a function that stops it. */
  subscribe: (what: Written, listener: () => void) => () => void
}

/** The database of one person: another person on the same device opens another one. */
export async function openDatabase(userId: number): Promise<GroundDatabase> {
  const name = `jalon-ground-${userId}`
  const database = await open(name)
  const channel = new BroadcastChannel(name)
  const listeners: Record<Written, Set<() => void>> = { entries: new Set(), taken: new Set() }
  const notify = (what: Written) => listeners[what].forEach((listener) => listener())
  channel.addEventListener('message', ({ data }: MessageEvent<Written>) => notify(data))
  const written = (what: Written) => {
    notify(what)
    // A channel reaches the pages of this origin alone.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(what)
  }
  const read = <T>(from: string, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    transact(database, [from], 'readonly', ([store]) => act(store))
  const writeTaken = (act: (store: IDBObjectStore) => IDBRequest): Promise<void> =>
    transact(database, [TAKEN], 'readwrite', ([store]) => act(store)).then(() => written('taken'))

  return {
    entries: {
      all: () => read<Entry[]>(ENTRIES, (entries) => entries.getAll()),
      get: (id) => read<Entry | undefined>(ENTRIES, (entries) => entries.get(id)).then((entry) => entry ?? null),
      photo: (key) => read<Blob | undefined>(PHOTOS, (photos) => photos.get(key)).then((photo) => photo ?? null),
      save: async (entry, blobs) => {
        await transact(database, [ENTRIES, PHOTOS], 'readwrite', ([entries, photos]) => {
          blobs.forEach((blob, key) => photos?.put(blob, key))
          return replace(entries, photos, entry.id, () => entry)
        })
        written('entries')
      },
      change: async (id, change) => {
        let after: Entry | null = null
        await transact(database, [ENTRIES, PHOTOS], 'readwrite', ([entries, photos]) =>
          replace(entries, photos, id, (before) => (after = before === undefined ? null : change(before))),
        )
        if (after !== null) written('entries')
        return after
      },
      remove: async (id) => {
        await transact(database, [ENTRIES, PHOTOS], 'readwrite', ([entries, photos]) => {
          const found: IDBRequest<Entry | undefined> = entries.get(id)
          found.addEventListener('success', () => found.result?.photos.forEach(({ key }) => photos?.delete(key)))
          return entries.delete(id)
        })
        written('entries')
      },
    },
    taken: {
      all: () => read<Taken[]>(TAKEN, (taken) => taken.getAll()),
      get: (id) => read<Taken | undefined>(TAKEN, (taken) => taken.get(id)).then((taken) => taken ?? null),
      put: (taken) => writeTaken((store) => store.put(taken)),
      remove: (id) => writeTaken((store) => store.delete(id)),
    },
    subscribe: (what, listener) => {
      listeners[what].add(listener)
      return () => void listeners[what].delete(listener)
    },
  }
}

/** Reads an entry, writes what `change` makes of it, and deletes the photos that it no longer needs. */
function replace(
  entries: IDBObjectStore,
  photos: IDBObjectStore | undefined,
  id: string,
  change: (before: Entry | undefined) => Entry | null,
): IDBRequest {
  const found: IDBRequest<Entry | undefined> = entries.get(id)
  found.addEventListener('success', () => {
    const before = found.result
    const after = change(before)
    if (after === null) return
    const kept = keptPhotos(after)
    before?.photos.forEach(({ key }) => kept.has(key) || photos?.delete(key))
    entries.put(after)
  })
  return found
}

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(ENTRIES, { keyPath: 'id' })
      request.result.createObjectStore(PHOTOS)
      request.result.createObjectStore(TAKEN, { keyPath: 'id' })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error(`${name} cannot be opened`)))
  })
}

type Stores = [IDBObjectStore, ...(IDBObjectStore | undefined)[]]

/** One transaction; the result of the request of `act` once all is on the disk. */
function transact<T>(
  database: IDBDatabase,
  names: [string, ...string[]],
  mode: IDBTransactionMode,
  act: (stores: Stores) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Of the page's few writes each must survive a phone that is switched off.
    const transaction = database.transaction(names, mode, { durability: 'strict' })
    const [first, ...others] = names
    const request = act([transaction.objectStore(first), ...others.map((name) => transaction.objectStore(name))])
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('the transaction failed')))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the transaction was aborted')))
  })
}
