import type { LngLat } from '@/api/types'
import { isEditable, type Entry } from './queue/entry'
import { keptPhotos, type EntryStore } from './queue/store'
import type { Download } from './downloads/types'
import type { Recording, RecordingHead } from './track/recording'
import { Unstored } from './track/unstored'

const ENTRIES = 'entries'
/** Bytes of photos, by the key of the photo. */
const PHOTOS = 'photos'
/** Has the name that earlier versions of the page gave it. */
const DOWNLOADS = 'taken'
/** The way that is being recorded: its head, then one point after the other. */
const RECORDING = 'recording'

/** The parcours and areas that a person downloaded. */
export interface DownloadStore {
  all: () => Promise<Download[]>
  get: (id: number) => Promise<Download | null>
  put: (download: Download) => Promise<void>
  remove: (id: number) => Promise<void>
}

/** The way that a person is recording: one at a time. */
export interface RecordingStore {
  get: () => Promise<Recording | null>
  /** Begins one; what was recorded before is dropped. */
  start: (head: RecordingHead) => Promise<void>
  /** Never fails: a point that the device refuses stays in memory and is written once there is room; `problem` says so meanwhile. */
  add: (point: LngLat) => Promise<void>
  drop: () => Promise<void>
}

/** What is on the device of a recording. */
type Stored = Omit<Recording, 'problem'>

type Written = 'entries' | 'downloads' | 'recording'

export interface GroundDatabase {
  entries: EntryStore
  downloads: DownloadStore
  recording: RecordingStore
  /** Calls `listener` after each write of what is named, also of another tab. Returns a function that stops it. */
  subscribe: (what: Written, listener: () => void) => () => void
}

/** The database of one person: another person on the same device opens another one. */
export async function openDatabase(userId: number): Promise<GroundDatabase> {
  const name = `jalon-ground-${userId}`
  const database = await open(name)
  const channel = new BroadcastChannel(name)
  const listeners: Record<Written, Set<() => void>> = { entries: new Set(), downloads: new Set(), recording: new Set() }
  const notify = (what: Written) => listeners[what].forEach((listener) => listener())
  /** What is stored of the recording: a day's points are not read again for each one that comes. */
  let recorded: Promise<Stored | null> | null = null
  channel.addEventListener('message', ({ data }: MessageEvent<Written>) => {
    recorded = null
    notify(data)
    makeRoom(data)
  })
  const written = (what: Written) => {
    notify(what)
    // A channel reaches the pages of this origin alone.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(what)
    makeRoom(what)
  }
  /** After another write there may be room for the points that found none. */
  const makeRoom = (what: Written) => {
    if (what !== 'recording' && unstored.problem !== null) void unstored.flush().then(() => written('recording'))
  }
  const read = <T>(from: string, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    transact(database, [from], 'readonly', ([store]) => act(store))
  const writeDownload = (act: (store: IDBObjectStore) => IDBRequest): Promise<void> =>
    transact(database, [DOWNLOADS], 'readwrite', ([store]) => act(store)).then(() => written('downloads'))
  const readRecording = async (): Promise<Stored | null> => {
    const [head, ...points] = await read<[RecordingHead?, ...LngLat[]]>(RECORDING, (store) => store.getAll())
    // A point of another tab that came after the end has no head.
    return head === undefined || Array.isArray(head) ? null : { ...head, points }
  }
  const writeRecording = async (
    act: (store: IDBObjectStore) => IDBRequest,
    changed: (before: Stored | null) => Stored | null,
    durability?: IDBTransactionDurability,
  ): Promise<void> => {
    await (recorded ??= readRecording())
    await transact(database, [RECORDING], 'readwrite', ([store]) => act(store), durability)
    recorded = recorded === null ? null : recorded.then(changed)
  }
  // Points are many: one that is lost with a phone that is switched off is one step of the way.
  const unstored = new Unstored(
    (points) =>
      writeRecording(
        (store) => points.map((point) => store.add(point)).at(-1) ?? store.count(),
        (before) => before && { ...before, points: [...before.points, ...points] },
        'relaxed',
      ),
    isFull,
  )

  return {
    entries: {
      all: () => read<Entry[]>(ENTRIES, (entries) => entries.getAll()),
      get: (id) => read<Entry | undefined>(ENTRIES, (entries) => entries.get(id)).then((entry) => entry ?? null),
      photo: (key) => read<Blob | undefined>(PHOTOS, (photos) => photos.get(key)).then((photo) => photo ?? null),
      save: async (entry, blobs) => {
        let isRecorded = false
        let isWritten = false
        await transact(database, [ENTRIES, PHOTOS, RECORDING], 'readwrite', ([entries, photos, recording]) => {
          // The recording that this entry is made of ends with it: a page killed between the two would make it again.
          const head: IDBRequest<RecordingHead | undefined> | undefined = recording?.get(1)
          head?.addEventListener('success', () => {
            isRecorded = head.result?.id === entry.id
            if (isRecorded) recording?.clear()
          })
          return replace(entries, photos, entry.id, (before) => {
            isWritten = before === undefined || isEditable(before)
            if (!isWritten) return null
            blobs.forEach((blob, key) => photos?.put(blob, key))
            return entry
          })
        })
        if (isRecorded) unstored.clear()
        recorded = null
        written('entries')
        written('recording')
        return isWritten
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
    downloads: {
      all: () => read<Download[]>(DOWNLOADS, (store) => store.getAll()),
      get: (id) => read<Download | undefined>(DOWNLOADS, (store) => store.get(id)).then((download) => download ?? null),
      put: (download) => writeDownload((store) => store.put(download)),
      remove: (id) => writeDownload((store) => store.delete(id)),
    },
    recording: {
      get: async () => {
        const found = await (recorded ??= readRecording())
        return found && { ...found, points: [...found.points, ...unstored.points], problem: unstored.problem }
      },
      start: async (head) => {
        await writeRecording(
          (store) => {
            store.clear()
            return store.put(head, 1)
          },
          () => ({ ...head, points: [] }),
        )
        unstored.clear()
        written('recording')
      },
      add: async (point) => {
        await unstored.add(point)
        written('recording')
      },
      drop: async () => {
        unstored.clear()
        await writeRecording(
          (store) => store.clear(),
          () => null,
        )
        written('recording')
      },
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
    const request = indexedDB.open(name, 2)
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      if (oldVersion < 1) {
        request.result.createObjectStore(ENTRIES, { keyPath: 'id' })
        request.result.createObjectStore(PHOTOS)
        request.result.createObjectStore(DOWNLOADS, { keyPath: 'id' })
      }
      request.result.createObjectStore(RECORDING, { autoIncrement: true })
    })
    request.addEventListener('success', () => {
      // A page of a later build asks for another layout: it waits until this one lets go.
      request.result.addEventListener('versionchange', () => request.result.close())
      resolve(request.result)
    })
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
  // An entry must survive a phone that is switched off.
  durability: IDBTransactionDurability = 'strict',
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(names, mode, { durability })
    const [first, ...others] = names
    const request = act([transaction.objectStore(first), ...others.map((name) => transaction.objectStore(name))])
    transaction.addEventListener('complete', () => resolve(request.result))
    // A request that fails aborts its transaction, and only then `error` says why.
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the transaction was aborted')))
  })
}

/** The device has no room left. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'
