import { api, unwrap } from '@/api/client'
import { resourceApi } from '@/api/resource'
import type { LngLat, Media, Parcours, Poi, Text } from '@/api/types'
import { DEGREE_M } from '@/records/map/geo'
import type { Source } from '@/records/picker/useRecordChoices'
import { inNameOrder, type Candidate, type Kind, type Photo, type PlacedCandidate } from './match'

const PER_PAGE = 200
/** Photos that are attached at once. */
export const MAX_PHOTOS = 500
/** Records whose titles are compared: 25 requests. */
export const MAX_RECORDS = 5000
/** Requests for the records near the photos. */
const MAX_REQUESTS = 100
/** The side of a cell, degrees: photos of one cell share a request. */
const CELL_DEG = 0.02
/** The largest zoom of the map of parcours: lines, no clusters, where few start. */
const MAP_ZOOM = 22

/** Where the server has the records of each kind: only those of the active white-label can be changed. */
export const sources = {
  poi: { base: '/api/v1/pois', queryKey: ['poi'], query: { owner: 'mine' } },
  parcours: { base: '/api/v1/parcours', queryKey: ['parcours'], query: { owner: 'mine', progress: 'any' } },
} as const satisfies Record<Kind, Source>

/** What of a record is read and written. */
export type WithMedia = Pick<Poi | Parcours, 'id' | 'version' | 'title' | 'media_ids'>

/** The client of the records of a kind. */
export const recordsOf = (kind: Kind) => resourceApi<WithMedia, Candidate>(sources[kind].base)

/** The chosen media, in the order of their names; with how many there are where that is more than `MAX_PHOTOS`. */
export interface Chosen {
  mediaFiles: Media[]
  total: number
}

/** The media of an address: those of `ids`, else those that the filters of the library leave; none without either. */
export async function readMedia({ ids, ...filter }: Record<string, string | undefined>): Promise<Chosen> {
  const mediaApi = resourceApi<Media>('/api/v1/medias')
  const found: Media[] = []
  let total = 0
  if (ids === undefined) {
    if (Object.keys(filter).length === 0) return { mediaFiles: [], total }
    for (let page = 1; found.length < MAX_PHOTOS; page += 1) {
      // A page is asked for once it is known that the one before was full.
      // oxlint-disable-next-line no-await-in-loop
      const { items, total: all } = await mediaApi.list({ owner: 'all', ...filter, sort: 'title', page, per_page: PER_PAGE })
      total = all
      found.push(...items)
      if (items.length < PER_PAGE) break
    }
  } else {
    const numbers = [...new Set(ids.split(',').map(Number))].filter((id) => Number.isInteger(id) && id > 0)
    total = numbers.length
    const sent = numbers.slice(0, MAX_PHOTOS)
    for (let from = 0; from < sent.length; from += PER_PAGE) {
      const part = sent.slice(from, from + PER_PAGE)
      // oxlint-disable-next-line no-await-in-loop
      found.push(...(await mediaApi.list({ owner: 'all', ids: part.join(','), per_page: PER_PAGE })).items)
    }
  }
  return { mediaFiles: inNameOrder(found.slice(0, MAX_PHOTOS)), total }
}

export const photoOf = ({ id, file_name: fileName, location, location_offered: offered }: Media): Photo => ({
  id,
  fileName,
  place: location ?? offered ?? null,
})

/** How far the reading of records is. */
export type OnRead = (done: number, total: number) => void

/** Records that were read; `total` is larger than their number where the bound was met. */
export interface Titles {
  records: Candidate[]
  total: number
}

/** The titles of all records of a kind, page by page, at most `MAX_RECORDS`. */
export async function readTitles(kind: Kind, onRead: OnRead, signal: AbortSignal): Promise<Titles> {
  const records: Candidate[] = []
  let total = 0
  for (let page = 1; records.length < MAX_RECORDS; page += 1) {
    signal.throwIfAborted()
    // oxlint-disable-next-line no-await-in-loop
    const read = await recordsOf(kind).list({ ...sources[kind].query, sort: 'title', page, per_page: PER_PAGE })
    total = read.total
    records.push(...read.items.map(({ id, title }) => ({ id, title })))
    onRead(records.length, Math.min(total, MAX_RECORDS))
    if (read.items.length < PER_PAGE) break
  }
  return { records, total }
}

type Box = [west: number, south: number, east: number, north: number]

/** Photos of one cell, with the box around them and `marginM` more on each side. */
interface Cell {
  box: Box
  photoIds: number[]
}

/** The photos with a place, by cells of about two kilometres. */
export function cellsOf(photos: readonly Photo[], marginM: number): Cell[] {
  const cells = new Map<string, Cell>()
  for (const { id, place } of photos) {
    if (place === null) continue
    const [lng, lat] = place
    const up = marginM / DEGREE_M
    const aside = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
    const key = `${Math.floor(lng / CELL_DEG)} ${Math.floor(lat / CELL_DEG)}`
    const {
      box: [west, south, east, north],
      photoIds,
    } = cells.get(key) ?? { box: [180, 90, -180, -90], photoIds: [] }
    const box: Box = [
      Math.max(-180, Math.min(west, lng - aside)),
      Math.max(-90, Math.min(south, lat - up)),
      Math.min(180, Math.max(east, lng + aside)),
      Math.min(90, Math.max(north, lat + up)),
    ]
    cells.set(key, { box, photoIds: [...photoIds, id] })
  }
  return [...cells.values()]
}

/** Records with their places, and the photos for which all records near them were read. */
export interface Places {
  records: PlacedCandidate[]
  compared: ReadonlySet<number>
}

/** The records near the photos, cell by cell, in at most `MAX_REQUESTS` requests. */
export async function readPlaces(
  kind: Kind,
  photos: readonly Photo[],
  withinM: number,
  onRead: OnRead,
  signal: AbortSignal,
): Promise<Places> {
  const cells = cellsOf(photos, withinM)
  const records = new Map<number, PlacedCandidate>()
  const compared = new Set<number>()
  let left = MAX_REQUESTS
  for (const [at, { box, photoIds }] of cells.entries()) {
    if (left <= 0) break
    signal.throwIfAborted()
    const bbox = box.map((degrees) => degrees.toFixed(6)).join(',')
    // oxlint-disable-next-line no-await-in-loop
    const { found, count } = await (kind === 'poi' ? poisIn(bbox, left) : parcoursIn(bbox))
    left -= count
    found?.forEach((record) => records.set(record.id, record))
    if (found !== null) photoIds.forEach((id) => compared.add(id))
    onRead(at + 1, cells.length)
  }
  return { records: [...records.values()], compared }
}

/** What a box holds, `null` where that is more than can be read; and the number of requests. */
interface InBox {
  found: PlacedCandidate[] | null
  count: number
}

const placed = (id: number, title: Text, line: readonly LngLat[]): PlacedCandidate => ({ id, title, line })

async function poisIn(bbox: string, most: number): Promise<InBox> {
  const found: PlacedCandidate[] = []
  for (let page = 1; page <= most; page += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const { items } = await resourceApi<Poi>('/api/v1/pois').list({ ...sources.poi.query, bbox, sort: 'title', page, per_page: PER_PAGE })
    found.push(...items.map(({ id, title, location }) => placed(id, title ?? {}, location == null ? [] : [location])))
    if (items.length < PER_PAGE) return { found, count: page }
  }
  return { found: null, count: most }
}

async function parcoursIn(bbox: string): Promise<InBox> {
  const query = { ...sources.parcours.query, bbox, zoom: MAP_ZOOM }
  const { items, clusters } = await unwrap(api.GET('/api/v1/parcours/map', { params: { query } }))
  const found = items.map(({ id, title, line, start }) => placed(id, title, line ?? [start]))
  return { found: clusters.length > 0 ? null : found, count: 1 }
}
