import { hasSignedOut, knownUserId } from '@/api/signed-in-user'
import type { DraftStore, PackedDraft, PackedLine } from './draft'

const NAME = 'jalon-trace-drafts'
/** One record for each user and parcours: the history, without the lines. */
const HEADS = 'drafts'
/** One record for each line: a long one is written once, not at each pause. */
const LINES = 'lines'

/** Drafts in the browser's own database: a long trace does not fit in its small storage. Each person has their own. */
export const deviceDrafts: DraftStore = {
  async read(parcoursId) {
    const owner = userId()
    const database = await open()
    const [head, lines] = await run(database, 'readonly', (heads, stored) => [
      heads.get([owner, parcoursId]),
      stored.index(OF_PARCOURS).getAll([owner, parcoursId]),
    ])
    return isHead(head) && Array.isArray(lines) ? { ...head, lines: lines.filter(isLine) } : null
  },
  async write({ lines, ...head }) {
    const owner = userId()
    const database = await open()
    const { parcours_id } = head
    const [stored] = await run(database, 'readonly', (_heads, kept) => [kept.index(OF_PARCOURS).getAllKeys([owner, parcours_id])])
    const there = new Set(lineIds(stored))
    const wanted = new Set(lines.map((line) => line.id))
    // What was erased at sign-out stays erased.
    if (hasSignedOut()) return
    await run(database, 'readwrite', (heads, kept) => [
      heads.put({ ...head, user_id: owner }),
      ...lines.filter((line) => !there.has(line.id)).map((line) => kept.put({ ...line, parcours_id, user_id: owner })),
      ...[...there].filter((id) => !wanted.has(id)).map((id) => kept.delete([owner, id])),
    ])
  },
  async forget(parcoursId, keptAtMs) {
    const owner = userId()
    const database = await open()
    const [head, stored] = await run(database, 'readonly', (heads, kept) => [
      heads.get([owner, parcoursId]),
      kept.index(OF_PARCOURS).getAllKeys([owner, parcoursId]),
    ])
    if (isHead(head) && head.kept_at_ms !== keptAtMs) return
    await run(database, 'readwrite', (heads, kept) => [
      heads.delete([owner, parcoursId]),
      ...lineIds(stored).map((id) => kept.delete([owner, id])),
    ])
  },
}

/** The number of traces of which a user has drafts on this device. */
export async function countTraceDrafts(ownerId: number): Promise<number> {
  const [count] = await run(await open(), 'readonly', (heads) => [heads.count(allOf(ownerId))])
  return typeof count === 'number' ? count : 0
}

/** Erases the drafts of one user. */
export async function forgetTraceDrafts(ownerId: number): Promise<void> {
  await run(await open(), 'readwrite', (heads, lines) => [heads.delete(allOf(ownerId)), lines.delete(allOf(ownerId))])
}

/** The index of lines by person and parcours. */
const OF_PARCOURS = 'of_parcours'

/** Every key that begins with a person: in IndexedDB an array sorts after every other type. */
const allOf = (ownerId: number): IDBKeyRange => IDBKeyRange.bound([ownerId], [ownerId, []])

const lineIds = (keys: unknown): string[] =>
  Array.isArray(keys) ? keys.flatMap((key: unknown) => (Array.isArray(key) ? [String(key[1])] : [])) : []

function userId(): number {
  const id = knownUserId()
  if (id === undefined) throw new Error('nobody is signed in')
  return id
}

function isHead(found: unknown): found is Omit<PackedDraft, 'lines'> {
  return typeof found === 'object' && found !== null && 'format' in found && found.format === 2
}

function isLine(found: unknown): found is PackedLine {
  return typeof found === 'object' && found !== null && 'id' in found && 'points' in found && found.points instanceof Float64Array
}

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 3)
    request.addEventListener('upgradeneeded', () => {
      // Earlier versions did not store whose a draft was.
      for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
      request.result.createObjectStore(HEADS, { keyPath: ['user_id', 'parcours_id'] })
      request.result.createObjectStore(LINES, { keyPath: ['user_id', 'id'] }).createIndex(OF_PARCOURS, ['user_id', 'parcours_id'])
    })
    request.addEventListener('success', () => {
      request.result.addEventListener('versionchange', () => {
        opened = undefined
        request.result.close()
      })
      resolve(request.result)
    })
    request.addEventListener('error', () => {
      opened = undefined
      reject(request.error ?? new Error('the draft database cannot be opened'))
    })
  })
  return opened
}

/** One transaction over both stores; the results of its requests once it is complete. */
function run(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  act: (heads: IDBObjectStore, lines: IDBObjectStore) => IDBRequest[],
): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([HEADS, LINES], mode)
    const requests = act(transaction.objectStore(HEADS), transaction.objectStore(LINES))
    transaction.addEventListener('complete', () => resolve(requests.map((request): unknown => request.result)))
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('the draft could not be kept')))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the draft could not be kept')))
  })
}
