import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TranslationJob } from '@/api/types'
import { api, unwrap } from '@/api/client'
import type { Tone } from '@/ui/badge/Badge'

/** How often a job that goes on is looked at. */
const JOB_MS = 1500

export const jobsQuery = (page: number) =>
  queryOptions({
    queryKey: ['translation', 'jobs', page],
    queryFn: () => unwrap(api.GET('/api/v1/translation-jobs', { params: { query: { page, per_page: 20 } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some((job) => job.state === 'running') === true ? JOB_MS : false),
  })

export const linesQuery = ({ id, done, state }: TranslationJob, page: number) =>
  queryOptions({
    queryKey: ['translation', 'lines', id, page, done, state],
    queryFn: () => unwrap(api.GET('/api/v1/translation-jobs/{id}/lines', { params: { path: { id }, query: { page, per_page: 50 } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const actOnJob = (job: number, action: 'cancellation' | 'resumption'): Promise<undefined> =>
  unwrap(api.POST(`/api/v1/translation-jobs/{id}/${action}`, { params: { path: { id: job } } }))

export const stateTones: Record<TranslationJob['state'], Tone> = { running: 'info', paused: 'warn', done: 'ok', cancelled: 'neutral' }
