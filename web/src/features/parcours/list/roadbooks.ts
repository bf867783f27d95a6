import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { NewRoadbookBatch } from '@/api/types'

/** The interval at which an active print run is fetched. */
const RUN_MS = 2000

/** The print runs that the user started; fetched again while one is active. */
export const batchesQuery = queryOptions({
  queryKey: ['roadbook-batches'],
  queryFn: () => unwrap(api.GET('/api/v1/roadbook-batches')),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some((batch) => batch.state === 'running') ? RUN_MS : false),
})

export const printBatch = (request: NewRoadbookBatch) => unwrap(api.POST('/api/v1/roadbook-batches', { body: request }))
export const dropBatch = (id: number) => unwrap(api.DELETE('/api/v1/roadbook-batches/{id}', { params: { path: { id } } }))
export const batchFile = (id: number) => `/api/v1/roadbook-batches/${id}/file`
