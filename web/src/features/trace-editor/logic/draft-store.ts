import type { DraftStore, PackedDraft, PackedLine } from './draft'

const NAME = 'jalon-trace-drafts'
/** One record a parcours: its history, without the lines. */
const HEADS = 'drafts'
/** One record a line: a long one is written once, not at each pause. */
const LINES = 'lines'

/** Drafts in the browser's own database: a long trace does not fit in its small storage. */
export const deviceDrafts: DraftStore = {
  async read(parcoursId) {
    const database = await open()
    const [head, lines] = await run(database, 'readonly', (heads, stored) => [heads.get(parcoursId), stored.index('parcours_id').getAll(parcoursId)])
    return isHead(head) && Array.isArray(lines) ? { ...head, lines: lines.filter(isLine) } : null
  },
  async write({ lines, ...head }) {
    const database = await open()
    const { parcours_id } = head
    const [stored] = await run(database, 'readonly', (_heads, kept) => [kept.index('parcours_id').getAllKeys(parcours_id)])
    const there = new Set(Array.isArray(stored) ? stored.map(String) : [])
    const wanted = new Set(lines.map((line) => line.id))
    await run(database, 'readwrite', (heads, kept) => [
      heads.put(head),
      ...lines.filter((line) => !there.has(line.id)).map((line) => kept.put({ ...line, parcours_id })),
      ...[...there].filter((id) => !wanted.has(id)).map((id) => kept.delete(id)),
    ])
  },
  async forget(parcoursId) {
    const database = await open()
    const [stored] = await run(database, 'readonly', (_heads, kept) => [kept.index('parcours_id').getAllKeys(parcoursId)])
    const keys = Array.isArray(stored) ? stored.map(String) : []
    await run(database, 'readwrite', (heads, kept) => [heads.delete(parcoursId), ...keys.map((id) => kept.delete(id))])
  },
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
    const request = indexedDB.open(NAME, 2)
    request.addEventListener('upgradeneeded', () => {
      for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
      request.result.createObjectStore(HEADS, { keyPath: 'parcours_id' })
      request.result.createObjectStore(LINES, { keyPath: 'id' }).createIndex('parcours_id', 'parcours_id')
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
function run(database: IDBDatabase, mode: IDBTransactionMode, act: (heads: IDBObjectStore, lines: IDBObjectStore) => IDBRequest[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([HEADS, LINES], mode)
    const requests = act(transaction.objectStore(HEADS), transaction.objectStore(LINES))
    transaction.addEventListener('complete', () => resolve(requests.map((request): unknown => request.result)))
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('the draft could not be kept')))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the draft could not be kept')))
  })
}
