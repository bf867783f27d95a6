import { queryOptions } from '@tanstack/react-query'
import type { RoadbookBatch } from '@/api/model'
import { callApi } from '@/api/resource'

const BASE = '/api/v1/roadbook-batches'
/** How often a print run that goes on is looked at. */
const RUN_MS = 2000

/** The print runs one asked for; asked again while one goes on. */
export const batchesQuery = queryOptions({
  queryKey: ['roadbook-batches'],
  queryFn: () => callApi<RoadbookBatch[]>('GET', BASE),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some((batch) => batch.state === 'running') ? RUN_MS : false),
})

export const printBatch = (filter: Record<string, string>) => callApi<RoadbookBatch>('POST', BASE, { body: { filter } })
export const dropBatch = (id: number) => callApi<undefined>('DELETE', `${BASE}/${id}`)
export const batchFile = (id: number) => `${BASE}/${id}/file`
