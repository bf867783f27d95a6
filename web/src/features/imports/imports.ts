import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { ImportLine, ImportMapping, ImportNote, ImportRun, ImportSource } from '@/api/model'
import { callApi } from '@/api/resource'
import { textFor, translate } from '@/i18n'
import { format } from '@/ui/format'

/** Texts of all its screens. */
export const texts = ['imports', 'settings', 'resource']

/** How often a run that goes on is looked at. */
const RUN_MS = 1500
const sources = '/api/v1/import-sources'
const runs = '/api/v1/import-runs'

export type ListedSource = ImportSource & { last_run: ImportRun | null }
interface PageOf<T> { items: T[]; total: number }

const isGoing = (run: ImportRun | null | undefined): boolean => run?.state === 'running'

export const sourcesQuery = queryOptions({
  queryKey: ['imports', 'sources'],
  queryFn: () => callApi<PageOf<ListedSource>>('GET', sources),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.items.some(({ last_run: run }) => isGoing(run)) === true ? RUN_MS : false),
})

export const sourceQuery = (id: number) => queryOptions({ queryKey: ['imports', 'source', id], queryFn: () => callApi<ImportSource>('GET', `${sources}/${id}`), staleTime: 0 })

/** A mapping grows while a run meets fields and words, and is fetched once more when the run has ended. */
export const mappingQuery = (id: number, running = false) =>
  queryOptions({
    queryKey: ['imports', 'mapping', id, running],
    queryFn: () => callApi<ImportMapping>('GET', `${sources}/${id}/mapping`),
    // Of this source only: another one's mapping would be filled into this one's form.
    placeholderData: (before: ImportMapping | undefined, query) => (query?.queryKey[2] === id ? before : undefined),
    staleTime: 0,
    refetchInterval: running ? 2 * RUN_MS : false,
  })

export const runsQuery = (asked: { source?: number; page: number; per_page: number }) =>
  queryOptions({
    queryKey: ['imports', 'runs', asked],
    queryFn: () => callApi<PageOf<ImportRun>>('GET', runs, { query: asked }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isGoing) === true ? RUN_MS : false),
  })

export const runQuery = (id: number) =>
  queryOptions({ queryKey: ['imports', 'run', id], queryFn: () => callApi<ImportRun>('GET', `${runs}/${id}`), staleTime: 0, refetchInterval: ({ state }) => (isGoing(state.data) ? RUN_MS : false) })

export const linesQuery = (run: ImportRun, asked: { outcome?: string | undefined; waits?: boolean; page: number; per_page: number }) =>
  queryOptions({
    queryKey: ['imports', 'lines', run.id, asked, run.state],
    queryFn: () => callApi<PageOf<ImportLine>>('GET', `${runs}/${run.id}/lines`, { query: asked }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isGoing(run) ? 2 * RUN_MS : false,
  })

export const sendKey = (source: ImportSource, key: string): Promise<undefined> => callApi('PUT', `${sources}/${source.id}/credential`, { version: source.version, body: { key } })
export const startRun = (source: number, dry: boolean): Promise<ImportRun> => callApi('POST', `${sources}/${source}/runs`, { body: { dry } })
export const actOnRun = (run: number, action: 'cancellation' | 'retry' | 'undo'): Promise<ImportRun | undefined> => callApi('POST', `${runs}/${run}/${action}`)
export const decide = (source: number, item: string, merge: boolean): Promise<undefined> => callApi('POST', `${sources}/${source}/decisions`, { body: { item, merge } })
export const unlock = (source: number, item: string, fields: string[]): Promise<undefined> => callApi('POST', `${sources}/${source}/unlocking`, { body: { item, fields } })

/** What a run changes shows everywhere. */
export const refresh = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: ['imports'] })

const asPlace = (name: string): string => translate(`imports:target.${name as 'title'}`)

/** `title/fr`: a field in words, with its language. */
export function fieldWords(name: string): string {
  const [field = name, language] = name.split('/')
  const words = textFor(`imports:target.${field}`) ?? field
  return language === undefined ? words : `${words} (${language})`
}

/** A note in the words of the person: its reason, and the field it is about. */
export function noteText({ code, params = {}, field }: ImportNote): string {
  const told = code === 'import/locked' ? { fields: (params['fields'] ?? '').split(', ').map(fieldWords).join(', ') } : params
  const words = textFor(`errors:${code}`, told) ?? translate('errors:unknown', { code })
  return field === null || field === undefined || code === 'import/locked' ? words : format.labelled(textFor(`imports:target.${field}`) === undefined ? field : asPlace(field), words)
}
