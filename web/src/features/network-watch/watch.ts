import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '@/api/resource'
import type { FaultyTrace, Page as PageOf, ParcoursMap, WatchChange, WatchState } from '@/api/model'

/** How often a run that goes on is looked at. */
const RUN_MS = 3000

/** What was replaced and how far the parcours are gone through. */
export const watchQuery = queryOptions({
  queryKey: ['planner', 'watch'],
  queryFn: () => callApi<WatchState>('GET', '/api/v1/planner/watch'),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.run?.state === 'running' ? RUN_MS : false),
})

export interface ChangesAsked {
  guidance?: string
  owner?: string
  seen?: string
  page: number
  per_page: number
}

export type Changes = Omit<PageOf<WatchChange>, 'counts'> & { counts: WatchState['waiting'] }

/** Parcours whose score changed with the network; asked again while a run goes on. */
export const changesQuery = (asked: ChangesAsked, running = false) =>
  queryOptions({
    queryKey: ['planner', 'watch', 'changes', asked],
    queryFn: () => callApi<Changes>('GET', '/api/v1/planner/watch/changes', { query: { ...asked } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: running ? 2 * RUN_MS : false,
  })

/** Parcours whose stored trace is not as a save would store it. */
export const faultsQuery = (owner: string | undefined) =>
  queryOptions({
    queryKey: ['planner', 'watch', 'trace-faults', owner],
    queryFn: () => callApi<PageOf<FaultyTrace>>('GET', '/api/v1/planner/watch/trace-faults', { query: { owner, per_page: 50 } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The whole line of a parcours, coarse: what its stretches lie on. */
export const lineQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', 'map', 'one', id],
    queryFn: () => callApi<ParcoursMap>('GET', '/api/v1/parcours/map', { query: { ids: id, progress: 'any', zoom: 16 } }).then(({ items }) => items[0]?.line ?? null),
    staleTime: 5 * 60_000,
  })

export const markSeen = (id: number): Promise<undefined> => callApi('POST', `/api/v1/planner/watch/changes/${id}/seen`)
export const runAgain = (): Promise<WatchState> => callApi('POST', '/api/v1/planner/watch/runs')
