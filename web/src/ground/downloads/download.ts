import { api, unwrap } from '@/api/client'
import { payload } from '@/api/payload'
import { connectionProblem, ProblemError } from '@/api/problem'
import type { FieldReport, Poi, SurveyCampaign, Text } from '@/api/types'
import { currentLocale } from '@/i18n'
import { FileCache } from '@/offline/file-cache'
import { coversBox, symbolsOf, tilesOf, tilesOfBox, type MapStyle } from '@/offline/map-files'
import type { Box } from '@/offline/tiles'
import { wordsOfHtml } from '@/records/form/plain-value'
import type { DownloadStore } from '../database'
import { assignedOf, myCampaigns } from './assigned'
import { allPages } from './pages'
import { openReports } from './reports'
import type { Download, DownloadParts, DownloadPoi } from './types'

/** What one parcours may weigh on the device. A loop of 30 km weighs some 5 MB. */
const MOST_BYTES = 150e6
const MOST_TILES = 4000
/** What an area weighs, as a mean, bytes: a tile of the map, one of the relief, and the styles with their icons and letters. */
const TILE_BYTES = 12_000
const RELIEF_BYTES = 55_000
const SYMBOLS_BYTES = 1_000_000
/** The most places of one parcours or area, and the most open reports of one parcours; a page of them is 200. */
const MOST_PLACES = 2000
const MOST_REPORTS = 2000
/** How far from the line a point of interest is downloaded, metres. */
const AROUND_M = 500

export const cacheOf = (userId: number, id: number) => `terrain-${userId}-${id}`

export interface DownloadContext {
  store: DownloadStore
  userId: number
  signal: AbortSignal
  /** Bytes so far. */
  onBytes: (bytes: number) => void
  /** The campaigns in which the person surveys, where several parcours are downloaded: they are asked for once. */
  campaigns?: () => Promise<SurveyCampaign[]>
}

/**
 * Downloads a parcours, or brings a download up to date. What is there and did not change is not fetched again, so a call after a cut
 * fetches only the rest. Rejects with a `ProblemError` where the network or the server fails, and with a `QuotaExceededError` where the
 * device has no room.
 */
export async function downloadParcours(
  id: number,
  { store, userId, signal, onBytes, campaigns = campaignsOnce() }: DownloadContext,
): Promise<Download> {
  const before = await store.get(id)
  const read = before?.area === undefined ? await readParts(id, before, userId, campaigns) : await readArea(before.area, before.parts.title)
  const data = JSON.stringify(read.parts).length
  // Files of before are there until a whole run is over.
  const begun: Download = {
    ...before,
    id,
    at: new Date().toISOString(),
    bytes: Math.max(before?.bytes ?? 0, data),
    complete: false,
    ...read,
  }
  await store.put(begun)
  const files = new FileCache(await caches.open(cacheOf(userId, id)), MOST_BYTES, (bytes) => onBytes(data + bytes))
  try {
    await fetchFiles(files, begun, signal)
  } catch (error) {
    // A full device refuses this too: why it stopped is what counts.
    await store.put({ ...begun, bytes: Math.max(begun.bytes, data + files.bytes) }).catch(() => undefined)
    throw error
  }
  const download = { ...begun, bytes: data + files.bytes, complete: files.cut === 0 }
  await store.put(download)
  if (files.cut > 0) throw connectionProblem()
  return download
}

/** Forgets a parcours with its map. What was made on the ground stays in the queue. */
export async function removeDownload(id: number, { store, userId }: Pick<DownloadContext, 'store' | 'userId'>): Promise<void> {
  await store.remove(id)
  await caches.delete(cacheOf(userId, id))
}

async function fetchFiles(files: FileCache, { area, parts: { line, pictures } }: Download, signal: AbortSignal): Promise<void> {
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
    const tiles = area === undefined ? tilesOf(style, line, MOST_TILES) : tilesOfBox(style, area, MOST_TILES)
    await files.all([...symbolsOf(style), ...tiles], signal)
  }
  if (files.cut === 0) await files.dropOthers((path) => /^\/(map\/(tiles|relief)|media)\//.test(path))
}

/** Downloads an area: its map and its points of interest. Each parcours in it is downloaded by `downloadParcours`. */
export async function downloadArea(id: number, area: Box, title: string, context: DownloadContext): Promise<Download> {
  const parts: DownloadParts = { ...noParts, title: { [currentLocale()]: title } }
  // From here on it is listed, and a cut run is resumed there.
  await context.store.put({ id, area, at: new Date().toISOString(), bytes: 0, complete: false, etag: null, traceRevision: null, parts })
  return downloadParcours(id, context)
}

const noParts: Omit<DownloadParts, 'title'> = {
  distance_m: null,
  line: [],
  steps: [],
  pois: [],
  reports: [],
  closures: [],
  categories: [],
  pictures: [],
}

/** What the map of an area weighs: an estimate; null where it is too large. */
export async function weighArea(area: Box): Promise<number | null> {
  const { style_light, style_dark } = payload().map
  const styles = await Promise.all(
    [style_light, style_dark].map(async (address): Promise<MapStyle> => {
      const reply = await fetch(address).catch(() => {
        throw connectionProblem()
      })
      return reply.json()
    }),
  )
  const tiles = new Set(styles.flatMap((style) => tilesOfBox(style, area, MOST_TILES)))
  const bytes = [...tiles].reduce((sum, address) => sum + (address.includes('.png') ? RELIEF_BYTES : TILE_BYTES), SYMBOLS_BYTES)
  return styles.every((style) => coversBox(style, area, MOST_TILES)) ? bytes : null
}

async function readArea(area: Box, title: Text): Promise<Read> {
  const [pois, categories] = await Promise.all([
    readPlaces({ bbox: area.join() }),
    unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind: 'poi_category' } } })),
  ])
  return { etag: null, traceRevision: null, parts: { ...noParts, title, ...pois, categories: categories.items } }
}

/** Places, with how many there are where that is more than are downloaded. */
async function readPlaces(
  query: { bbox: string } | { near_parcours: number; within_m: number },
): Promise<Pick<DownloadParts, 'pois' | 'poisInAll'>> {
  const {
    items,
    total,
    total_capped: isMore,
  } = await allPages<Poi>(MOST_PLACES, (page, perPage) =>
    unwrap(api.GET('/api/v1/pois', { params: { query: { ...query, sort: 'title', page, per_page: perPage } } })),
  )
  return { pois: poisOf(items), ...(total > items.length && { poisInAll: { total, isMore } }) }
}

type Read = Pick<Download, 'etag' | 'traceRevision' | 'parts'>

/** Asks for the campaigns at the first call alone. */
export function campaignsOnce(): () => Promise<SurveyCampaign[]> {
  let request: Promise<SurveyCampaign[]> | undefined
  // A server of the version before has none.
  return () => (request ??= myCampaigns().catch(noneThere))
}

async function readParts(id: number, before: Download | null, userId: number, campaigns: () => Promise<SurveyCampaign[]>): Promise<Read> {
  const params = { params: { path: { id } } }
  const [sheet, pois, reports, closures, categories, surveys] = await Promise.all([
    readSheet(id, before),
    readPlaces({ near_parcours: id, within_m: AROUND_M }),
    // People of other white-labels do not see the reports of a parcours.
    readReports(id).catch(none),
    unwrap(api.GET('/api/v1/parcours/{id}/closures', params)),
    unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind: 'poi_category' } } })),
    campaigns(),
  ])
  return {
    etag: sheet.etag,
    traceRevision: sheet.traceRevision,
    parts: {
      ...sheet.parts,
      ...pois,
      ...reports,
      closures: closures.items,
      categories: categories.items,
      assigned: assignedOf(surveys, id, userId),
    },
  }
}

const poisOf = (pois: readonly Poi[]): DownloadPoi[] =>
  pois.flatMap(({ id, title, description, location, mine }) =>
    location === null ? [] : [{ id, title, description: withoutMarks(description), location, mine }],
  )

const withoutMarks = (text: Text): Text =>
  Object.fromEntries(Object.entries(text).map(([language, html]) => [language, wordsOfHtml(html ?? '')]))

/** Open reports, with how many there are where that is more than are downloaded. */
async function readReports(id: number): Promise<Pick<DownloadParts, 'reports' | 'reportsInAll'>> {
  const { items, total } = await openReports<FieldReport>(MOST_REPORTS, (state, page, perPage) =>
    unwrap(api.GET('/api/v1/parcours/{id}/field-reports', { params: { path: { id }, query: { state, page, per_page: perPage } } })),
  )
  return {
    reports: items.map(({ id, kind, state, text, position, at_m, sent_at }) => ({ id, kind, state, text, position, at_m, sent_at })),
    ...(total > items.length && { reportsInAll: total }),
  }
}

function none(error: unknown): { reports: never[] } {
  if (error instanceof ProblemError && error.status === 403) return { reports: [] }
  throw error
}

function noneThere(error: unknown): never[] {
  if (error instanceof ProblemError && error.status === 404) return []
  throw error
}

type SheetParts = Pick<DownloadParts, 'title' | 'distance_m' | 'line' | 'steps' | 'pictures'>

/** The sheet by its tag, and the line and the pictures where the sheet changed. */
async function readSheet(id: number, before: Download | null): Promise<Omit<Read, 'parts'> & { parts: SheetParts }> {
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
