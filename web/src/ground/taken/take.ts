import { api, unwrap } from '@/api/client'
import { payload } from '@/api/payload'
import { connectionProblem, ProblemError } from '@/api/problem'
import type { Text } from '@/api/types'
import { FileCache } from '@/offline/file-cache'
import { symbolsOf, tilesOf, type MapStyle } from '@/offline/map-files'
import { wordsOfHtml } from '@/records/form/plain-value'
import type { TakenStore } from '../database'
import { assignedOf, myCampaigns } from './assigned'
import type { Taken, TakenParts } from './taken'

/** What one parcours may weigh on the device. A loop of 30 km weighs some 5 MB. */
const MOST_BYTES = 150e6
const MOST_TILES = 4000
/** How far from the line a point of interest is taken, metres. */
const AROUND_M = 500

export const cacheOf = (userId: number, id: number) => `terrain-${userId}-${id}`

export interface TakeContext {
  store: TakenStore
  userId: number
  signal: AbortSignal
  /** Bytes so far. */
  onBytes: (bytes: number) => void
}

/**
 * Takes a parcours, or brings what was taken up to date. What is there and did not change is not fetched again, so a call after a cut
 * fetches only the rest. Rejects with a `ProblemError` where the network or the server fails, and with a `QuotaExceededError` where the
 * device has no room.
 */
export async function take(id: number, { store, userId, signal, onBytes }: TakeContext): Promise<Taken> {
  const before = await store.get(id)
  const read = await readParts(id, before, userId)
  const data = JSON.stringify(read.parts).length
  const begun: Taken = { id, at: new Date().toISOString(), bytes: data, complete: false, ...read }
  await store.put(begun)
  const files = new FileCache(await caches.open(cacheOf(userId, id)), MOST_BYTES, (bytes) => onBytes(data + bytes))
  await takeFiles(files, read.parts, signal)
  const taken = { ...begun, bytes: data + files.bytes, complete: files.cut === 0 }
  await store.put(taken)
  if (files.cut > 0) throw connectionProblem()
  return taken
}

/** Forgets a parcours with its map. What was made on the ground stays in the queue. */
export async function leaveBehind(id: number, { store, userId }: Pick<TakeContext, 'store' | 'userId'>): Promise<void> {
  await store.remove(id)
  await caches.delete(cacheOf(userId, id))
}

async function takeFiles(files: FileCache, { line, pictures }: TakenParts, signal: AbortSignal): Promise<void> {
  const { style_light, style_dark } = payload().map
  await files.all(
    pictures.flatMap(({ thumb_url }) => (thumb_url === null ? [] : [thumb_url])),
    signal,
  )
  for (const address of [style_light, style_dark]) {
    const style: MapStyle = await files.fresh(address).then(
      (reply) => reply.json(),
      (error: unknown) => {
        throw error instanceof TypeError ? connectionProblem() : error
      },
    )
    await files.all([...symbolsOf(style), ...tilesOf(style, line, MOST_TILES)], signal)
  }
  if (files.cut === 0) await files.dropOthers((path) => /^\/(map\/(tiles|relief)|media)\//.test(path))
}

type Read = Pick<Taken, 'etag' | 'traceRevision' | 'parts'>

async function readParts(id: number, before: Taken | null, userId: number): Promise<Read> {
  const params = { params: { path: { id } } }
  const [sheet, pois, reports, closures, categories, campaigns] = await Promise.all([
    readSheet(id, before),
    unwrap(api.GET('/api/v1/pois', { params: { query: { near_parcours: id, within_m: AROUND_M, per_page: 200 } } })),
    // People of other white-labels do not see the reports of a parcours.
    unwrap(api.GET('/api/v1/parcours/{id}/field-reports', { params: { path: { id }, query: { per_page: 200 } } })).catch(none),
    unwrap(api.GET('/api/v1/parcours/{id}/closures', params)),
    unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind: 'poi_category' } } })),
    myCampaigns(),
  ])
  return {
    etag: sheet.etag,
    traceRevision: sheet.traceRevision,
    parts: {
      ...sheet.parts,
      pois: pois.items.flatMap(({ id, title, description, location, mine }) =>
        location === null ? [] : [{ id, title, description: withoutMarks(description), location, mine }],
      ),
      reports: reports.items
        .filter(({ state }) => state !== 'solved')
        .map(({ id, kind, state, text, position, at_m, sent_at }) => ({ id, kind, state, text, position, at_m, sent_at })),
      closures: closures.items,
      categories: categories.items,
      assigned: assignedOf(campaigns, id, userId),
    },
  }
}

const withoutMarks = (text: Text): Text =>
  Object.fromEntries(Object.entries(text).map(([language, html]) => [language, wordsOfHtml(html ?? '')]))

function none(error: unknown): { items: never[] } {
  if (error instanceof ProblemError && error.status === 403) return { items: [] }
  throw error
}

type SheetParts = Pick<TakenParts, 'title' | 'distance_m' | 'line' | 'steps' | 'pictures'>

/** The sheet by its tag, and the line and the pictures where the sheet changed. */
async function readSheet(id: number, before: Taken | null): Promise<Omit<Read, 'parts'> & { parts: SheetParts }> {
  const path = { id }
  const headers: Record<string, string> = before?.etag == null ? {} : { 'If-None-Match': before.etag }
  try {
    const { data, response } = await api.GET('/api/v1/parcours/{id}', { params: { path }, headers })
    if (data === undefined) throw new ProblemError(response.status, { code: 'internal' })
    const traceRevision = data.trace?.revision ?? null
    const line =
      traceRevision === null
        ? []
        : before !== null && before.traceRevision === traceRevision
          ? before.parts.line
          : (await unwrap(api.GET('/api/v1/parcours/{id}/trace', { params: { path } }))).line
    const pictures =
      data.media_ids.length === 0
        ? []
        : (await unwrap(api.GET('/api/v1/medias', { params: { query: { ids: data.media_ids.join(','), per_page: 200 } } }))).items
    return {
      etag: response.headers.get('etag'),
      traceRevision,
      parts: {
        title: data.title,
        distance_m: data.trace?.distance_m ?? null,
        line,
        steps: data.steps,
        pictures: pictures.map(({ id, thumb_url, alt, legend, file_name }) => ({ id, thumb_url, alt, legend, file_name })),
      },
    }
  } catch (error) {
    if (before === null || !(error instanceof ProblemError) || error.status !== 304) throw error
    return { etag: before.etag, traceRevision: before.traceRevision, parts: before.parts }
  }
}
