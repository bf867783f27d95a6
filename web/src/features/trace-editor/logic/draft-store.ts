import type { DraftStore, PackedDraft } from './draft'

const NAME = 'jalon-trace-drafts'
const STORE = 'drafts'

/** Drafts in the browser's own database: a long trace does not fit in its small storage. */
export const deviceDrafts: DraftStore = {
  read: (parcoursId) => run('readonly', (store) => store.get(parcoursId)).then((found) => (isDraft(found) ? found : null)),
  write: (draft) => run('readwrite', (store) => store.put(draft)).then(() => undefined),
  forget: (parcoursId) => run('readwrite', (store) => store.delete(parcoursId)).then(() => undefined),
}

function isDraft(found: unknown): found is PackedDraft {
  return typeof found === 'object' && found !== null && 'format' in found && found.format === 1
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { keyPath: 'parcours_id' }))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the draft database cannot be opened')))
  })
}

async function run(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode)
    const request = act(transaction.objectStore(STORE))
    transaction.addEventListener('complete', () => {
      database.close()
      resolve(request.result)
    })
    transaction.addEventListener('error', () => {
      database.close()
      reject(transaction.error ?? new Error('the draft could not be kept'))
    })
  })
}
