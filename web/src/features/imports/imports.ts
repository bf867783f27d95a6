import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import type { ImportMapping, ImportNote, ImportRun, ImportSource } from '@/api/types'
import { api, ifMatch, unwrap, type Answer } from '@/api/client'
import { textFor, translate } from '@/i18n'
import { payload } from '@/api/payload'
import { format } from '@/ui/format'
import { faultText } from '@/records/problem-text'
import { isRunning, RUN_MS, whileRunning } from '@/records/source/is-running'

/** Texts of all its screens. */
export const texts = ['imports', 'settings', 'resource']

export type ListedSource = Answer<'/api/v1/import-sources', 'get'>['items'][number]

export const sourcesQuery = queryOptions({
  queryKey: ['imports', 'sources'],
  queryFn: () => unwrap(api.GET('/api/v1/import-sources')),
  staleTime: 0,
  refetchInterval: ({ state }) => whileRunning(state.data?.items.map(({ last_run: run }) => run)),
})

export const sourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['imports', 'source', id],
    queryFn: () => unwrap(api.GET('/api/v1/import-sources/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

/** A mapping grows while a run meets fields and words, and is fetched once more when the run has ended. */
export const mappingQuery = (id: number, running = false) =>
  queryOptions({
    queryKey: ['imports', 'mapping', id, running],
    queryFn: () => unwrap(api.GET('/api/v1/import-sources/{id}/mapping', { params: { path: { id } } })),
    // Only the mapping of this source: the form would otherwise show the mapping of another one.
    placeholderData: (before: ImportMapping | undefined, query) => (query?.queryKey[2] === id ? before : undefined),
    staleTime: 0,
    refetchInterval: running ? 2 * RUN_MS : false,
  })

export const runsQuery = (filters: { source?: number; page: number; per_page: number }) =>
  queryOptions({
    queryKey: ['imports', 'runs', filters],
    queryFn: () => unwrap(api.GET('/api/v1/import-runs', { params: { query: filters } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => whileRunning(state.data?.items),
  })

export const runQuery = (id: number) =>
  queryOptions({
    queryKey: ['imports', 'run', id],
    queryFn: () => unwrap(api.GET('/api/v1/import-runs/{id}', { params: { path: { id } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => whileRunning([state.data]),
  })

/** A source with its mapping and its last runs, the newest first; each not there before it was fetched. */
export function useSource(id: number, filters: { source: number; page: number; per_page: number }) {
  const source = useQuery(sourceQuery(id)).data
  const runs = useQuery(runsQuery(filters)).data?.items
  const running = runs?.[0]?.state === 'running'
  const mapping = useQuery(mappingQuery(id, running)).data
  return { source, runs, mapping }
}

export const linesQuery = (
  run: ImportRun,
  filters: { outcome?: string | undefined; note?: string; waits?: boolean; page: number; per_page: number },
) =>
  queryOptions({
    queryKey: ['imports', 'lines', run.id, filters, run.state],
    queryFn: () => unwrap(api.GET('/api/v1/import-runs/{id}/lines', { params: { path: { id: run.id }, query: filters } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isRunning(run) ? 2 * RUN_MS : false,
  })

export const sendKey = (source: ImportSource, key: string): Promise<undefined> =>
  unwrap(
    api.PUT('/api/v1/import-sources/{id}/credential', {
      params: { path: { id: source.id }, header: ifMatch(source.version) },
      body: { key },
    }),
  )
export const startRun = (source: number, dry: boolean): Promise<ImportRun> =>
  unwrap(api.POST('/api/v1/import-sources/{id}/runs', { params: { path: { id: source } }, body: { dry } }))
export const actOnRun = (run: number, action: 'cancellation' | 'retry' | 'undo'): Promise<ImportRun | undefined> =>
  unwrap<ImportRun | undefined>(api.POST(`/api/v1/import-runs/{id}/${action}`, { params: { path: { id: run } } }))
export const setSchedule = (source: ImportSource, schedule: ImportSource['schedule']): Promise<ImportSource> =>
  unwrap(
    api.PATCH('/api/v1/import-sources/{id}', {
      params: { path: { id: source.id }, header: ifMatch(source.version) },
      body: { schedule },
    }),
  )
export const decide = (source: number, item: string, merge: boolean): Promise<undefined> =>
  unwrap(api.POST('/api/v1/import-sources/{id}/decisions', { params: { path: { id: source } }, body: { item, merge } }))
export const unlock = (source: number, item: string, fields: string[]): Promise<undefined> =>
  unwrap(api.POST('/api/v1/import-sources/{id}/unlocking', { params: { path: { id: source } }, body: { item, fields } }))

/** The per cent below which a line has no guidance. */
export const threshold = (): string => String(payload().reliability_threshold)

/** Refreshes the queries that a run changes. */
export const refresh = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: ['imports'] })

const asPlace = (name: string): string => translate(`imports:target.${name as 'title'}`)

/** `title/fr`: a field in words, with its language. */
export function fieldWords(name: string): string {
  const [field = name, language] = name.split('/')
  const words = textFor(`imports:target.${field}`) ?? field
  return language === undefined ? words : `${words} (${language})`
}

/** The rows of a page of lines: the most that the API gives. */
const LINES_A_PAGE = 200

/** The items of a report that have no place here, as a table for spreadsheets: what each is, its name, its list, its address. */
export async function leftTable(run: number, head: readonly string[]): Promise<Blob> {
  const rows: (readonly string[])[] = [head]
  for (let page = 1; ; page += 1) {
    const query = { note: 'import/no-place', page, per_page: LINES_A_PAGE }
    // Each page needs to know whether the one before was the last.
    // oxlint-disable-next-line no-await-in-loop
    const { items } = await unwrap(api.GET('/api/v1/import-runs/{id}/lines', { params: { path: { id: run }, query } }))
    for (const { item, title, notes } of items) {
      const { list = '', url = '' } = notes[0]?.params ?? {}
      rows.push([item, title, textFor(`imports:move.lists.${list}`) ?? list, url])
    }
    if (items.length < LINES_A_PAGE) break
  }
  return new Blob(['\uFEFF', rows.map(csvLine).join('')], { type: 'text/csv;charset=utf-8' })
}

/** A row as the server writes tables: a cell that a spreadsheet would take for a formula has an apostrophe. */
const csvLine = (cells: readonly string[]): string => {
  const cell = (words: string) => {
    const safe = /^[=@\t+-]/.test(words) ? `'${words}` : words
    return /[;"\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return `${cells.map(cell).join(';')}\r\n`
}

/** A note in the words of the person: its reason, and the field it is about. */
export function noteText({ code, params = {}, field }: ImportNote): string {
  const named =
    code === 'import/locked'
      ? { fields: (params['fields'] ?? '').split(', ').map(fieldWords).join(', ') }
      : params['cause'] === undefined
        ? params
        : { ...params, threshold: threshold(), cause: textFor(`imports:cause.${params['cause']}`) ?? params['cause'] }
  const words = faultText({ code, params: named })
  return field === null || field === undefined || code === 'import/locked'
    ? words
    : format.labelled(textFor(`imports:target.${field}`) === undefined ? field : asPlace(field), words)
}
