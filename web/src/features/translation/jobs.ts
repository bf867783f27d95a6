import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TranslationJob, TranslationJobLine } from '@/api/model'
import { callApi } from '@/api/resource'
import type { Tone } from '@/ui/badge/Badge'

/** How often a job that goes on is looked at. */
const JOB_MS = 1500
const jobs = '/api/v1/translation-jobs'
interface PageOf<T> {
  items: T[]
  total: number
}
interface Jobs extends PageOf<TranslationJob> {
  translates: boolean
}

export const jobsQuery = (page: number) =>
  queryOptions({
    queryKey: ['translation', 'jobs', page],
    queryFn: () => callApi<Jobs>('GET', jobs, { query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some((job) => job.state === 'running') === true ? JOB_MS : false),
  })

export const linesQuery = ({ id, done, state }: TranslationJob, page: number) =>
  queryOptions({ queryKey: ['translation', 'lines', id, page, done, state], queryFn: () => callApi<PageOf<TranslationJobLine>>('GET', `${jobs}/${id}/lines`, { query: { page, per_page: 50 } }), placeholderData: keepPreviousData, staleTime: 0 })

export const actOnJob = (job: number, action: 'cancellation' | 'resumption'): Promise<undefined> => callApi('POST', `${jobs}/${job}/${action}`)

export const stateTones: Record<TranslationJob['state'], Tone> = { running: 'info', paused: 'warn', done: 'ok', cancelled: 'neutral' }
