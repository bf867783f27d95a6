import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { FeedEdition, FeedLineStop, FeedLines, TransportFeed, TransportRun } from '@/api/model'
import { callApi } from '@/api/resource'

/** Texts of all its screens. */
export const texts = ['transport', 'lines', 'resource']

/** How often a run that goes on is looked at. */
const RUN_MS = 1500
const feeds = '/api/v1/transport-feeds'
const runs = '/api/v1/transport-runs'

export type ListedFeed = TransportFeed & { edition: FeedEdition | null; last_run: TransportRun | null }
interface PageOf<T> { items: T[]; total: number }

export const isGoing = (run: TransportRun | null | undefined): boolean => run?.state === 'running'

export const feedsQuery = queryOptions({
  queryKey: ['transport', 'feeds'],
  queryFn: () => callApi<PageOf<ListedFeed>>('GET', feeds),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.items.some(({ last_run: run }) => isGoing(run)) === true ? RUN_MS : false),
})

export const feedQuery = (id: number) => queryOptions({ queryKey: ['transport', 'feed', id], queryFn: () => callApi<TransportFeed>('GET', `${feeds}/${id}`), staleTime: 0 })

export const runsQuery = (feed: number) =>
  queryOptions({
    queryKey: ['transport', 'runs', feed],
    queryFn: () => callApi<PageOf<TransportRun>>('GET', `${feeds}/${feed}/runs`, { query: { page: 1, per_page: 10 } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isGoing) === true ? RUN_MS : false),
  })

/** What lines are narrowed to: it stands in the address. */
export const asked = ['search', 'mode', 'bike_carriage', 'operator', 'parcours', 'radius_m', 'page'] as const
export type Asked = Partial<Record<(typeof asked)[number], string>>
export const PER_PAGE = 25

export const linesQuery = (feed: number, query: Asked) =>
  queryOptions({
    queryKey: ['transport', 'lines', feed, query],
    queryFn: () => callApi<FeedLines>('GET', `${feeds}/${feed}/lines`, { query: { ...query, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const stopsQuery = (feed: number, route: string) =>
  queryOptions({ queryKey: ['transport', 'stops', feed, route], queryFn: () => callApi<{ items: FeedLineStop[] }>('GET', `${feeds}/${feed}/line-stops`, { query: { route } }), staleTime: 60_000 })

export const startRun = (feed: number): Promise<TransportRun> => callApi('POST', `${feeds}/${feed}/runs`)
export const cancelRun = (run: number): Promise<undefined> => callApi('POST', `${runs}/${run}/cancellation`)
export const addLines = (feed: number, routes: string[]): Promise<{ items: { route: string; line_id: number; made: boolean }[] }> => callApi('POST', `${feeds}/${feed}/additions`, { body: { routes } })

/** What a run or an addition changes shows everywhere. */
export const refresh = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'transport' || first === 'transport_line' })
