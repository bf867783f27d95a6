import { beforeEach, describe, expect, it } from 'vitest'
import { connectionProblem, ProblemError } from '@/api/problem'
import type { GroundEntry, GroundEntryInput } from '@/api/types'
import { isEditable, newEntry, type Entry } from './entry'
import { pauseMs, sendWaiting, type SendEnd, type EntryApi } from './send'
import { MemoryStore } from '../../../test/memory-store'

/** The page is killed here: nothing after it runs. */
class Killed extends Error {}

type Point = 'session' | 'create' | 'created' | 'bytes' | 'stored' | 'put' | 'written'

/** A server that keeps what reached it, and lets a request fail before or after its effect. */
class FakeServer implements EntryApi {
  person = 7
  readonly uploads = new Map<string, { bytes: number; media: number | null }>()
  readonly media: number[] = []
  readonly entries = new Map<string, GroundEntryInput>()
  readonly requests: string[] = []
  /** What happens at a point, once. */
  faults = new Map<Point, () => never>()

  fail(point: Point, how: () => never): void {
    this.faults.set(point, how)
  }

  signedIn = async () => {
    this.at('session')
    return this.person
  }

  upload: EntryApi['upload'] = async (photo, { url, onUrl, onSent }) => {
    let token = url
    if (token === null) {
      this.at('create')
      token = `u${this.uploads.size + 1}`
      this.uploads.set(token, { bytes: 0, media: null })
      await onUrl(token)
      this.at('created')
    }
    const upload = this.uploads.get(token)
    if (upload === undefined) throw new ProblemError(404, { code: 'upload/not-found' })
    if (upload.media === null) {
      upload.bytes = photo.size / 2
      onSent(upload.bytes)
      this.at('bytes')
      upload.bytes = photo.size
      upload.media = this.media.length + 1
      this.media.push(upload.media)
      this.at('stored')
    }
    return upload.media
  }

  put = async (id: string, body: GroundEntryInput): Promise<GroundEntry> => {
    this.at('put')
    this.requests.push(id)
    if (!this.entries.has(id)) this.entries.set(id, body)
    this.at('written')
    return answerOf(id, body)
  }

  private at(point: Point): void {
    const fault = this.faults.get(point)
    this.faults.delete(point)
    fault?.()
  }
}

const answerOf = (id: string, { kind, made_at, sent_at }: GroundEntryInput): GroundEntry => ({
  id,
  kind,
  parcours: null,
  by: { id: 7, name: 'Maïlys Roche' },
  made_at,
  received_at: sent_at,
  position: null,
  accuracy_m: null,
  language: 'fr',
  title: '',
  category_id: null,
  report_kind: null,
  closure_kind: null,
  until: null,
  condition: null,
  step_id: null,
  poi_id: null,
  before: null,
  text: '',
  from_m: null,
  to_m: null,
  distance_m: null,
  media: [],
  result: kind === 'poi' ? { kind: 'poi', id: 41 } : null,
  reviewed_at: null,
  reviewed_by: null,
})

let store: MemoryStore
let server: FakeServer
const now = () => new Date('2026-11-26T09:00:00Z')

beforeEach(() => {
  store = new MemoryStore()
  server = new FakeServer()
})

const content = (text: string, minute = 0): Entry['content'] => ({
  kind: 'photo',
  parcours_id: 12,
  made_at: `2026-11-26T08:${String(minute).padStart(2, '0')}:00Z`,
  position: [4, 47],
  accuracy_m: 8,
  language: 'fr',
  title: '',
  category_id: null,
  report_kind: null,
  text,
  closure_kind: null,
  until: null,
  condition: null,
  step_id: null,
  poi_id: null,
  before: null,
  track: [],
  from_m: null,
  to_m: null,
})

async function made(id: string, photos = 1, minute = 0): Promise<void> {
  const blobs = new Map(Array.from({ length: photos }, (_, index) => [`${id}-${index}`, new Blob(['a photo'])]))
  const entry = newEntry(id, content(id, minute), 'Gravel des trois bourgs')
  entry.photos = [...blobs].map(([key, { size }]) => ({ key, bytes: size, uploadUrl: null, mediaId: null }))
  await store.save(entry, blobs)
}

const run = (shares: number[] = []): Promise<SendEnd> =>
  sendWaiting({ store, api: server, userId: 7, now, onProgress: (progress) => progress && shares.push(progress.share) })

const killed = () => {
  throw new Killed()
}
const cut = () => {
  throw connectionProblem()
}

describe.each<[string, () => never]>([
  ['the page is killed', killed],
  ['the answer is lost', cut],
])('%s', (_, how) => {
  it.each<Point>(['session', 'create', 'created', 'bytes', 'stored', 'put', 'written'])(
    'at "%s": sent once by the next run',
    async (point) => {
      await made('one', 2)
      await made('two', 1, 1)
      server.fail(point, how)
      await run().catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
      expect(store.entries.get('one')?.state).toBe('waiting')
      expect(store.photos.size).toBe(3)

      expect(await run()).toEqual({ kind: 'done' })
      expect([...server.entries.keys()]).toEqual(['one', 'two'])
      expect(server.entries.get('one')?.media_ids).toEqual([1, 2])
      expect(server.media).toEqual([1, 2, 3])
      expect([...store.entries.values()].map(({ state }) => state)).toEqual(['sent', 'sent'])
      // The bytes are deleted once the server has the entry, not before.
      expect(store.photos.size).toBe(0)
    },
  )
})

it('says how many were sent before the server went away, so that a weak network is tried again soon', async () => {
  await made('one', 0)
  await made('two', 0, 1)
  const put = server.put
  server.put = async (id, body) => {
    const answer = await put(id, body)
    if (id === 'one') server.fail('session', cut)
    return answer
  }
  expect(await run()).toEqual({ kind: 'away', retryAfterS: null, sent: 1 })
})

it('keeps whether an entry went in without a review', async () => {
  await made('one', 0)
  await made('two', 0, 1)
  const put = server.put
  server.put = async (id, body) => ({ ...(await put(id, body)), reviewed_at: id === 'one' ? '2026-11-26T09:00:00Z' : null })
  await run()
  expect([...store.entries.values()].map(({ isTakenIn }) => isTakenIn)).toEqual([true, false])
})

it('an entry whose answer was lost cannot be changed, since the server may have it', async () => {
  await made('one', 0)
  server.fail('written', cut)
  expect(await run()).toEqual({ kind: 'away', retryAfterS: null, sent: 0 })
  const before = await store.get('one')
  expect(before?.asked).toBe(true)
  expect(before && isEditable(before)).toBe(false)
  await run()
  expect(server.requests).toEqual(['one', 'one'])
  expect(server.entries.size).toBe(1)
})

it('a refused entry keeps the words of the server and its photo, may be changed, and the others go on', async () => {
  await made('one', 1)
  await made('two', 0, 1)
  server.fail('put', () => {
    throw new ProblemError(422, { code: 'validation', errors: [{ code: 'validation/too-long', params: { max: 200 }, field: '/title' }] })
  })
  expect(await run()).toEqual({ kind: 'done' })
  const refused = await store.get('one')
  expect(refused?.state).toBe('refused')
  expect(refused?.refusal?.faults).toEqual([{ code: 'validation/too-long', params: { max: 200 }, field: '/title' }])
  expect(refused && isEditable(refused)).toBe(true)
  expect(store.photos.size).toBe(1)
  expect([...server.entries.keys()]).toEqual(['two'])

  await store.change('one', (entry) => ({ ...entry, state: 'waiting', refusal: null }))
  await run()
  expect(server.media).toEqual([1])
  expect([...server.entries.keys()]).toEqual(['two', 'one'])
})

it('the session that ended and another person leave the queue as it is', async () => {
  await made('one')
  server.fail('session', () => {
    throw new ProblemError(401, { code: 'auth/session-expired' })
  })
  expect(await run()).toEqual({ kind: 'signed-out' })
  server.person = 8
  expect(await run()).toEqual({ kind: 'other-person' })
  expect([server.entries.size, server.media.length, store.entries.get('one')?.state]).toEqual([0, 0, 'waiting'])
})

it('an entry that is deleted while its photo travels is not sent', async () => {
  await made('one')
  const upload = server.upload
  server.upload = async (photo, options) => {
    const media = await upload(photo, options)
    await store.remove('one')
    return media
  }
  expect(await run()).toEqual({ kind: 'done' })
  expect(server.entries.size).toBe(0)
})

it('a photo that is no longer on the device is reported, not left out', async () => {
  await made('one')
  store.photos.clear()
  await run()
  expect((await store.get('one'))?.refusal?.code).toBe('ground/photo-lost')
  expect(server.entries.size).toBe(0)
})

it('goes in the order in which entries were made, and its progress only grows', async () => {
  await made('late', 0, 30)
  await made('early', 2, 10)
  const shares: number[] = []
  await run(shares)
  expect(server.requests).toEqual(['early', 'late'])
  expect(shares.slice(0, 4)).toEqual([0, 0.25, 0.5, 0.75])
})

it('waits 5 s, then twice as long up to 5 min, or as long as the server asks', () => {
  expect([1, 2, 3, 20].map((attempt) => pauseMs(attempt, null))).toEqual([5000, 10_000, 20_000, 300_000])
  expect(pauseMs(1, 42)).toBe(42_000)
})
