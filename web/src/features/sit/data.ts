import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { ImportLine, ImportRun, SitMapping, SitRecord, SitSource } from '@/api/model'
import { callApi } from '@/api/resource'
import { textFor } from '@/i18n'
import type { Tone } from '@/ui/badge/Badge'

/** Texts of all its screens. */
export const texts = ['sit', 'settings', 'resource']

/** How often a run that goes on is looked at. */
const RUN_MS = 1500
const sources = '/api/v1/sit-sources'
const runs = '/api/v1/import-runs'
export const records = '/api/v1/sit-records'

export type ListedSource = SitSource & { last_run: ImportRun | null }
interface PageOf<T> { items: T[]; total: number }

const isGoing = (run: ImportRun | null | undefined): boolean => run?.state === 'running'

export const sourcesQuery = queryOptions({
  queryKey: ['sit', 'sources'],
  queryFn: () => callApi<PageOf<ListedSource>>('GET', sources),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.items.some(({ last_run: run }) => isGoing(run)) === true ? RUN_MS : false),
})

export const sourceQuery = (id: number) => queryOptions({ queryKey: ['sit', 'source', id], queryFn: () => callApi<SitSource>('GET', `${sources}/${id}`), staleTime: 0 })

/** A mapping grows while a run meets words. */
export const mappingQuery = (id: number, running = false) =>
  queryOptions({ queryKey: ['sit', 'mapping', id], queryFn: () => callApi<SitMapping>('GET', `${sources}/${id}/mapping`), staleTime: 0, refetchInterval: running ? 2 * RUN_MS : false })

export const runsQuery = (source: number) =>
  queryOptions({
    queryKey: ['sit', 'runs', source],
    queryFn: () => callApi<PageOf<ImportRun>>('GET', runs, { query: { of: 'sit_source', source, per_page: 10 } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isGoing) === true ? RUN_MS : false),
  })

export const linesQuery = (run: ImportRun, asked: { outcome?: string | undefined; page: number; per_page: number }) =>
  queryOptions({
    queryKey: ['sit', 'lines', run.id, asked, run.state],
    queryFn: () => callApi<PageOf<ImportLine>>('GET', `${runs}/${run.id}/lines`, { query: asked }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isGoing(run) ? 2 * RUN_MS : false,
  })

export const recordQuery = (id: number) => queryOptions({ queryKey: ['sit', 'record', id], queryFn: () => callApi<SitRecord>('GET', `${records}/${id}`), staleTime: 0 })

export const sendKey = (source: SitSource, key: string): Promise<undefined> => callApi('PUT', `${sources}/${source.id}/credential`, { version: source.version, body: { key } })
export const startRun = (source: number): Promise<ImportRun> => callApi('POST', `${sources}/${source}/runs`)
export const cancelRun = (run: number): Promise<undefined> => callApi('POST', `${runs}/${run}/cancellation`)

const ofRecord = (record: SitRecord, path: string) => `${records}/${record.id}${path}`
export const changeRecord = (record: SitRecord, body: { overrides?: Record<string, unknown>; hidden?: boolean }): Promise<SitRecord> => callApi('PATCH', ofRecord(record, ''), { version: record.version, body })
export const makePoi = (record: SitRecord): Promise<SitRecord> => callApi('POST', ofRecord(record, '/poi'), { version: record.version })
export const linkPoi = (record: SitRecord, poi: number, take: string[] = []): Promise<SitRecord> => callApi('PUT', ofRecord(record, '/poi'), { version: record.version, body: { poi_id: poi, take } })
export const unlinkPoi = (record: SitRecord): Promise<SitRecord> => callApi('DELETE', ofRecord(record, '/poi'), { version: record.version })

/** What a run or a save changes shows everywhere, in POIs too. */
export const refresh = (cache: QueryClient): Promise<unknown> => Promise.all([cache.invalidateQueries({ queryKey: ['sit'] }), cache.invalidateQueries({ queryKey: ['poi'] })])

export const statusTones: Record<SitRecord['status'], Tone> = { active: 'ok', gone: 'warn', hidden: 'neutral' }

/** `title/fr`: a field in words, with its language. */
export function fieldWords(name: string): string {
  const [field = name, language] = name.split('/')
  const words = textFor(`sit:field.${field}`) ?? field
  return language === undefined ? words : `${words} (${language})`
}
