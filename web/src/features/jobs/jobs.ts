import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { QueryParams } from '@/api/resource'
import type { Job } from '@/api/types'
import type { Tone } from '@/ui/badge/Badge'
import type { ListConfig } from '@/records/list/list-state'

export const states = ['waiting', 'running', 'dead', 'done', 'cancelled'] as const satisfies readonly Job['state'][]
export const toneOf: Record<Job['state'], Tone> = { waiting: 'neutral', running: 'info', done: 'ok', dead: 'danger', cancelled: 'neutral' }

/** Kinds of jobs that this version knows. The server may name others, of a newer version. */
export const kinds = [
  'mail',
  'password_reset',
  'media_sizes',
  'roadbook_batch',
  'translation',
  'audio_speech',
  'transport_run',
  'transport_refresh',
  'network_watch',
  'import_run',
  'import_refresh',
  'import_match',
  'sit_pictures',
  'trace_check',
  'campaign_mails',
  'erase_expired',
  'blob_sweep',
  'client_roadbooks',
] as const

export const config: ListConfig = { filterKeys: ['state', 'kind'], defaultSort: '' }

/** How often the list is read again while a job runs or is about to, and otherwise, in milliseconds. */
const [BUSY_MS, IDLE_MS] = [2000, 15_000]

const isOpen = ({ state }: Job) => state === 'running' || state === 'waiting'
/** A job that waits for its hour, as those of every hour do, changes nothing on the page before. */
const isMoving = (job: Job) =>
  job.state === 'running' || (job.state === 'waiting' && new Date(job.run_after).getTime() < Date.now() + IDLE_MS)

/** The jobs, the newest first, page after page. */
export const jobsQuery = (query: QueryParams) =>
  infiniteQueryOptions({
    queryKey: ['jobs', query],
    queryFn: ({ pageParam }) =>
      unwrap(api.GET('/api/v1/jobs', { params: { query: { ...query, per_page: 50, ...(pageParam === 0 ? {} : { before: pageParam }) } } })),
    initialPageParam: 0,
    getNextPageParam: ({ next_before: before }) => before,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isMoving)) === true ? BUSY_MS : IDLE_MS),
  })

export const retry = (id: number) => unwrap(api.POST('/api/v1/jobs/{id}/retry', { params: { path: { id } } }))
export const cancel = (id: number) => unwrap(api.POST('/api/v1/jobs/{id}/cancel', { params: { path: { id } } }))

/** A dead job can be tried again; one that waits after a failure can start at once. */
export const mayRetry = ({ state, reason }: Job) => state === 'dead' || (state === 'waiting' && reason !== null)
export const mayCancel = (job: Job) => isOpen(job)
