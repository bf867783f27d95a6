import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { TransportRun } from '@/api/types'
import { api, unwrap, type Answer } from '@/api/client'
import { whileRunning } from '@/records/source/is-running'

/** Texts of all its screens. */
export const texts = ['transport', 'lines', 'resource']

export type ListedFeed = Answer<'/api/v1/transport-feeds', 'get'>['items'][number]

export const feedsQuery = queryOptions({
  queryKey: ['transport', 'feeds'],
  queryFn: () => unwrap(api.GET('/api/v1/transport-feeds')),
  staleTime: 0,
  refetchInterval: ({ state }) => whileRunning(state.data?.items.map(({ last_run: run }) => run)),
})

export const feedQuery = (id: number) =>
  queryOptions({
    queryKey: ['transport', 'feed', id],
    queryFn: () => unwrap(api.GET('/api/v1/transport-feeds/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

export const runsQuery = (feed: number) =>
  queryOptions({
    queryKey: ['transport', 'runs', feed],
    queryFn: () =>
      unwrap(api.GET('/api/v1/transport-feeds/{id}/runs', { params: { path: { id: feed }, query: { page: 1, per_page: 10 } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => whileRunning(state.data?.items),
  })

/** The filters of lines, which are in the address. */
export const lineFilterKeys = ['search', 'mode', 'bike_carriage', 'operator', 'parcours', 'radius_m', 'page'] as const
export type LineFilters = Partial<Record<(typeof lineFilterKeys)[number], string>>
export const PER_PAGE = 25

export const linesQuery = (feed: number, query: LineFilters) =>
  queryOptions({
    queryKey: ['transport', 'lines', feed, query],
    queryFn: () =>
      unwrap(api.GET('/api/v1/transport-feeds/{id}/lines', { params: { path: { id: feed }, query: { ...query, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const stopsQuery = (feed: number, route: string) =>
  queryOptions({
    queryKey: ['transport', 'stops', feed, route],
    queryFn: () => unwrap(api.GET('/api/v1/transport-feeds/{id}/line-stops', { params: { path: { id: feed }, query: { route } } })),
    staleTime: 60_000,
  })

export const startRun = (feed: number): Promise<TransportRun> =>
  unwrap(api.POST('/api/v1/transport-feeds/{id}/runs', { params: { path: { id: feed } } }))
export const cancelRun = (run: number): Promise<undefined> =>
  unwrap(api.POST('/api/v1/transport-runs/{id}/cancellation', { params: { path: { id: run } } }))
export const addLines = (feed: number, routes: string[]) =>
  unwrap(api.POST('/api/v1/transport-feeds/{id}/additions', { params: { path: { id: feed } }, body: { routes } }))

/** What a run or an addition changes shows everywhere. */
export const refresh = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'transport' || first === 'transport_line' })
