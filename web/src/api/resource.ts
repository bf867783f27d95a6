import type { Answer } from './client'
import { fetchOk } from './http'
import type { paths } from './schema'
import type { BulkRequest, BulkReport, Page, RecordUses, ResourceRevision, RevisionRow, VocabularyKind } from './types'

/** The path of a kind of records: `/api/v1/pois`. */
export type RecordsPath = RecordsPathOf<{ id: number }>
type ItemsOf<P extends string> = P extends `${infer Base}/{id}` ? (Base extends keyof paths ? Base : never) : never
/** The paths whose records have the shape `R`. */
export type RecordsPathOf<R> =
  | { [B in ItemsOf<keyof paths>]: Answer<`${B}/{id}`, 'get'> extends R ? B : never }[ItemsOf<keyof paths>]
  | `/api/v1/vocabularies/${VocabularyKind}`

/** The fields of every record of the catalogue. */
export interface CatalogueRecord {
  id: number
  version: number
  updated_at?: string
  updated_by?: { id: number; name: string } | null
}

/** The path of each resource of the catalogue, and its operations beyond list, create, show, change and delete. */
export const resources = {
  structure: { path: '/api/v1/structures', can: ['history', 'uses'] },
  contact: { path: '/api/v1/contacts', can: ['history', 'uses'] },
  user: { path: '/api/v1/users', can: ['history', 'uses'] },
  poi: { path: '/api/v1/pois', can: ['history', 'uses', 'bulk', 'merge'] },
  media: { path: '/api/v1/medias', can: ['history', 'uses', 'bulk'] },
  transport_line: { path: '/api/v1/transport-lines', can: ['history', 'uses'] },
  white_label: { path: '/api/v1/white-labels', can: ['history', 'uses'] },
  closure: { path: '/api/v1/closures', can: ['history', 'uses'] },
  itinerary: { path: '/api/v1/itineraries', can: ['history', 'uses'] },
  translator: { path: '/api/v1/translators', can: ['history', 'uses'] },
  provider_link: { path: '/api/v1/provider-links', can: ['history', 'uses'] },
  survey_campaign: { path: '/api/v1/survey-campaigns', can: ['history', 'uses'] },
} as const satisfies Record<string, { path: string; can: readonly Ability[] }>

export type ResourceKind = keyof typeof resources
export type Ability = 'history' | 'uses' | 'bulk' | 'merge'

export type QueryParams = Record<string, string | number | boolean | undefined>

interface Sent {
  query?: QueryParams
  body?: unknown
  version?: number
}

/** A path with its query. */
export function addressOf(path: string, query: QueryParams = {}): string {
  const entries = Object.entries(query).flatMap(([key, value]) => (value === undefined || value === '' ? [] : [[key, String(value)]]))
  const text = new URLSearchParams(entries).toString()
  return text === '' ? path : `${path}?${text}`
}

async function ask<T>(method: string, path: string, { query, body, version }: Sent = {}): Promise<T> {
  const headers: Record<string, string> = {}
  if (version !== undefined) headers['If-Match'] = `"${version}"`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const response = await fetchOk(new URL(addressOf(path, query), window.location.origin).href, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = response.status === 204 ? '' : await response.text()
  // The kinds of records differ by their address alone: `ResourceApi` says what each call answers.
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export interface ResourceApi<R, Row> {
  list: (query: QueryParams) => Promise<Page<Row>>
  get: (id: number) => Promise<R>
  create: (body: unknown) => Promise<R>
  save: (id: number, version: number, patch: unknown) => Promise<R>
  remove: (id: number, version: number, how?: { force?: boolean; replaceBy?: number }) => Promise<undefined>
  uses: (id: number) => Promise<RecordUses>
  revisions: (id: number) => Promise<RevisionRow[]>
  revision: (id: number, version: number) => Promise<ResourceRevision<R>>
  restore: (id: number, version: number, from: number, fields?: string[]) => Promise<R>
  merge: (id: number, version: number, into: number) => Promise<R>
  bulk: (body: BulkRequest) => Promise<BulkReport>
  undoBulk: (token: string) => Promise<BulkReport>
}

/** What every resource of the catalogue answers, in one way. */
export function resourceApi<R, Row = R>(base: RecordsPathOf<R>): ResourceApi<R, Row> {
  const at = (id: number, rest = '') => `${base}/${id}${rest}`
  return {
    list: (query) => ask('GET', base, { query }),
    get: (id) => ask('GET', at(id)),
    create: (body) => ask('POST', base, { body }),
    save: (id, version, patch) => ask('PATCH', at(id), { body: patch, version }),
    remove: (id, version, { force = false, replaceBy } = {}) =>
      ask('DELETE', at(id), { version, query: { force: force || undefined, replace_by: replaceBy } }),
    uses: (id) => ask('GET', at(id, '/uses')),
    revisions: (id) => ask<{ items: RevisionRow[] }>('GET', at(id, '/revisions')).then(({ items }) => items),
    revision: (id, version) => ask('GET', at(id, `/revisions/${version}`)),
    restore: (id, version, from, fields) =>
      ask('POST', at(id, `/revisions/${from}/restoration`), { version, body: fields === undefined ? {} : { fields } }),
    merge: (id, version, into) => ask('POST', at(id, '/merge'), { version, body: { into_id: into } }),
    bulk: (body) => ask('POST', `${base}/bulk`, { body }),
    undoBulk: (token) => ask('POST', `${base}/bulk/undo`, { body: { undo_token: token } }),
  }
}
