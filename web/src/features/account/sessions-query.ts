import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

export const sessionsKey = ['own-sessions'] as const

/** One's open sessions, the present one first. */
export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: async () => (await unwrap(api.GET('/api/v1/me/sessions'))).items,
  staleTime: 0,
})
