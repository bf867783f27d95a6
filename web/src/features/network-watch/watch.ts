import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap, type Answer } from '@/api/client'
import type { WatchState } from '@/api/types'

/** How often a run that goes on is looked at. */
const RUN_MS = 3000

/** The replaced data and the progress of the run. */
export const watchQuery = queryOptions({
  queryKey: ['planner', 'watch'],
  queryFn: () => unwrap(api.GET('/api/v1/planner/watch')),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.run?.state === 'running' ? RUN_MS : false),
})

export interface ChangesQuery {
  guidance?: string
  owner?: string
  seen?: string
  page: number
  per_page: number
}

export type Changes = Answer<'/api/v1/planner/watch/changes', 'get'>

/** Parcours whose score changed with the network; asked again while a run goes on. */
export const changesQuery = (query: ChangesQuery, running = false) =>
  queryOptions({
    queryKey: ['planner', 'watch', 'changes', query],
    queryFn: () => unwrap(api.GET('/api/v1/planner/watch/changes', { params: { query } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: running ? 2 * RUN_MS : false,
  })

/** Parcours whose stored trace is not as a save would store it. */
export const faultsQuery = (owner: string | undefined) =>
  queryOptions({
    queryKey: ['planner', 'watch', 'trace-faults', owner],
    queryFn: () => unwrap(api.GET('/api/v1/planner/watch/trace-faults', { params: { query: { owner, per_page: 50 } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The whole line of a parcours, coarse: what its stretches lie on. */
export const lineQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', 'map', 'one', id],
    queryFn: () =>
      unwrap(api.GET('/api/v1/parcours/map', { params: { query: { ids: id, progress: 'any', zoom: 16 } } })).then(
        ({ items }) => items[0]?.line ?? null,
      ),
    staleTime: 5 * 60_000,
  })

export const markSeen = (id: number): Promise<undefined> =>
  unwrap(api.POST('/api/v1/planner/watch/changes/{id}/seen', { params: { path: { id } } }))
export const runAgain = (): Promise<WatchState> => unwrap(api.POST('/api/v1/planner/watch/runs'))
