// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ProblemError } from '@/api/problem'
import { SILENCE_MS, sendOnce } from './tus'

/** What an upload was made with, and what was asked of it. */
interface Made {
  onProgress: (bytes: number) => void
  onAfterResponse: () => void
  onSuccess: () => void
}
const made = vi.hoisted((): { options: Made[]; aborted: number } => ({ options: [], aborted: 0 }))

vi.mock('tus-js-client', () => ({
  DetailedError: class extends Error {},
  Upload: class {
    url = '/api/v1/uploads/abc'
    constructor(_: File, options: Made) {
      made.options.push(options)
    }
    start() {}
    abort() {
      made.aborted += 1
      return Promise.resolve()
    }
  },
}))
vi.mock('@/api/payload', () => ({ payload: () => ({ api_base: 'http://localhost' }) }))

beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(made, { options: [], aborted: 0 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An upload that has begun, and how it ended. */
function begun() {
  const onSent = vi.fn<(bytes: number) => void>()
  let end: unknown = 'none'
  sendOnce(new File(['a photo'], 'photo.jpg'), { url: null, onUrl: () => Promise.resolve(), onSent }).then(
    (media) => (end = media),
    (error: unknown) => (end = error),
  )
  const options = made.options[0]
  if (options === undefined) throw new Error('no upload was made')
  return { options, onSent, ended: () => end }
}

it('is cut as a request without answer where nothing is heard for a minute', async () => {
  const { ended } = begun()
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1)
  expect([ended(), made.aborted]).toEqual(['none', 0])
  await vi.advanceTimersByTimeAsync(1)
  const end = ended()
  expect(end).toBeInstanceOf(ProblemError)
  expect(end instanceof ProblemError && end.status).toBe(0)
  expect(made.aborted).toBe(1)
})

it('lasts as long as bytes leave and answers come', async () => {
  const { options, onSent, ended } = begun()
  for (let piece = 1; piece <= 10; piece++) {
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1)
    if (piece % 2 === 0) options.onAfterResponse()
    else options.onProgress(piece)
  }
  expect([ended(), made.aborted]).toEqual(['none', 0])
  expect(onSent.mock.calls.flat()).toEqual([1, 3, 5, 7, 9])
})

it('is cut where all bytes are there and the media is not answered', async () => {
  vi.stubGlobal(
    'fetch',
    (_: unknown, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new DOMException('cut', 'AbortError')))),
  )
  const { options, ended } = begun()
  options.onSuccess()
  await vi.advanceTimersByTimeAsync(SILENCE_MS)
  const end = ended()
  expect(end instanceof ProblemError && end.status).toBe(0)
  expect(made.aborted).toBe(1)
})

it('leaves no clock running once the media is known', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ state: 'done', media_id: 41 })))
  const { options, ended } = begun()
  options.onSuccess()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended()).toBe(41)
  expect(vi.getTimerCount()).toBe(0)
})
