import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { ImportRun, SitRecordPage, SitSource } from '@/api/types'
import { api, ifMatch, unwrap, type Answer } from '@/api/client'
import { textFor } from '@/i18n'
import type { Tone } from '@/ui/badge/Badge'
import { isRunning, RUN_MS, whileRunning } from '@/records/source/is-running'

/** Texts of all its screens. */
export const texts = ['sit', 'settings', 'resource']

export const records = '/api/v1/sit-records'

export type ListedSource = Answer<'/api/v1/sit-sources', 'get'>['items'][number]

/** A record in the version that was seen. */
const at = ({ id, version }: { id: number; version: number }) => ({ path: { id }, header: ifMatch(version) })

export const sourcesQuery = queryOptions({
  queryKey: ['sit', 'sources'],
  queryFn: () => unwrap(api.GET('/api/v1/sit-sources')),
  staleTime: 0,
  refetchInterval: ({ state }) => whileRunning(state.data?.items.map(({ last_run: run }) => run)),
})

export const sourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['sit', 'source', id],
    queryFn: () => unwrap(api.GET('/api/v1/sit-sources/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

/** A mapping grows while a run meets words. */
export const mappingQuery = (id: number, running = false) =>
  queryOptions({
    queryKey: ['sit', 'mapping', id],
    queryFn: () => unwrap(api.GET('/api/v1/sit-sources/{id}/mapping', { params: { path: { id } } })),
    staleTime: 0,
    refetchInterval: running ? 2 * RUN_MS : false,
  })

export const runsQuery = (source: number) =>
  queryOptions({
    queryKey: ['sit', 'runs', source],
    queryFn: () => unwrap(api.GET('/api/v1/import-runs', { params: { query: { of: 'sit_source', source, per_page: 10 } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => whileRunning(state.data?.items),
  })

export const linesQuery = (run: ImportRun, filters: { outcome?: string | undefined; page: number; per_page: number }) =>
  queryOptions({
    queryKey: ['sit', 'lines', run.id, filters, run.state],
    queryFn: () => unwrap(api.GET('/api/v1/import-runs/{id}/lines', { params: { path: { id: run.id }, query: filters } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isRunning(run) ? 2 * RUN_MS : false,
  })

export const recordQuery = (id: number) =>
  queryOptions({
    queryKey: ['sit', 'record', id],
    queryFn: () => unwrap(api.GET('/api/v1/sit-records/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

export const sendKey = (source: SitSource, key: string): Promise<undefined> =>
  unwrap(api.PUT('/api/v1/sit-sources/{id}/credential', { params: at(source), body: { key } }))
export const startRun = (source: number): Promise<ImportRun> =>
  unwrap(api.POST('/api/v1/sit-sources/{id}/runs', { params: { path: { id: source } } }))
export const cancelRun = (run: number): Promise<undefined> =>
  unwrap(api.POST('/api/v1/import-runs/{id}/cancellation', { params: { path: { id: run } } }))

export const changeRecord = (
  record: SitRecordPage,
  body: { overrides?: Record<string, unknown>; hidden?: boolean },
): Promise<SitRecordPage> => unwrap(api.PATCH('/api/v1/sit-records/{id}', { params: at(record), body }))
export const makePoi = (record: SitRecordPage): Promise<SitRecordPage> =>
  unwrap(api.POST('/api/v1/sit-records/{id}/poi', { params: at(record) }))
export const linkPoi = (record: SitRecordPage, poi: number, take: string[] = []): Promise<SitRecordPage> =>
  unwrap(api.PUT('/api/v1/sit-records/{id}/poi', { params: at(record), body: { poi_id: poi, take } }))
export const unlinkPoi = (record: SitRecordPage): Promise<SitRecordPage> =>
  unwrap(api.DELETE('/api/v1/sit-records/{id}/poi', { params: at(record) }))

/** Refreshes the queries that a run or a save changes, those of POIs too. */
export const refresh = (cache: QueryClient): Promise<unknown> =>
  Promise.all([cache.invalidateQueries({ queryKey: ['sit'] }), cache.invalidateQueries({ queryKey: ['poi'] })])

export const statusTones: Record<SitRecordPage['status'], Tone> = { active: 'ok', gone: 'warn', hidden: 'neutral' }

/** `title/fr`: a field in words, with its language. */
export function fieldWords(name: string): string {
  const [field = name, language] = name.split('/')
  const words = textFor(`sit:field.${field}`) ?? field
  return language === undefined ? words : `${words} (${language})`
}
