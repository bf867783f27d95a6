import type { Done, Job } from './long.worker'
import { type Packed, pack, unpack } from './pack'

/* Bodies with very long lines are parsed and serialised in a worker, so that the page stays responsive. */

/** Smaller bodies are read at once: handing them over would take longer. */
const LONG_BYTES = 300_000
const LONG_POINTS = 10_000

/** To be spread in the call whose answer `unwrapLong` reads. */
export const long = { parseAs: 'arrayBuffer' } as const

/** As `unwrap`, for an answer that may hold very long lines; the call is made with `...long`. */
export async function unwrapLong<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data } = await call
  // `...long` has the body come as bytes, whatever the contract says of it.
  const bytes: unknown = data
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError('a long answer is asked for with `...long`')
  return (await readLong(bytes)) as T
}

async function readLong(bytes: ArrayBuffer): Promise<unknown> {
  if (bytes.byteLength < LONG_BYTES) return JSON.parse(new TextDecoder().decode(bytes))
  const done = await ask((id) => ({ job: { id, read: bytes }, transfer: [bytes] }))
  if (!('read' in done)) throw new Error('an answer could not be read')
  return unpack(done.read)
}

/** The body of a call that sends lines: the value itself, or its JSON written aside when a line is very long. */
export async function longBody<T>(
  body: T,
  lines: readonly { readonly line: readonly unknown[] }[],
): Promise<{ body: T; bodySerializer?: () => unknown; headers?: Record<string, string> }> {
  if (lines.reduce((sum, { line }) => sum + line.length, 0) < LONG_POINTS) return { body }
  const packed: Packed = pack(body)
  const done = await ask((id) => ({ job: { id, write: packed }, transfer: packed.lines.map((line) => line.buffer) }))
  if (!('written' in done)) throw new Error('a body could not be written')
  const { written } = done
  return { body, bodySerializer: () => written, headers: { 'Content-Type': 'application/json' } }
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (done: Done) => void>()

function ask(make: (id: number) => { job: Job; transfer: Transferable[] }): Promise<Done> {
  worker ??= started()
  lastId += 1
  const { job, transfer } = make(lastId)
  return new Promise((resolve) => {
    waiting.set(job.id, resolve)
    worker?.postMessage(job, transfer)
  })
}

function started(): Worker {
  const made = new Worker(new URL('./long.worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Done>) => {
    waiting.get(data.id)?.(data)
    waiting.delete(data.id)
  })
  // A worker that cannot be fetched never answers: the waiting calls fail, and the next call starts another worker.
  made.addEventListener('error', () => {
    waiting.forEach((resolve, id) => resolve({ id, failed: 'the worker could not be started' }))
    waiting.clear()
    worker = undefined
  })
  return made
}
