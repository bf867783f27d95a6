import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { payload } from '@/api/payload'
import { liveServices } from './editor/services'

/** The parcours and its trace, read together; the editor then works on a copy of its own. */
export const openingQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'trace-editor'],
    queryFn: () => liveServices.read(id),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** The practices, for the profile that the planner starts with. */
export const practicesQuery = queryOptions({
  queryKey: ['vocabularies', 'practice_type'],
  queryFn: () => unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind: 'practice_type' } } })),
  staleTime: 5 * 60_000,
})

/** The planner's profile of a practice; the first one offered when the practice has none. */
export function profileOf(practices: readonly { id: number; attributes: Record<string, unknown> }[], practiceId: number | null): string {
  const offered = payload().profiles
  const own = practices.find((one) => one.id === practiceId)?.attributes['profile']
  return offered.find((one) => one === own) ?? offered.find((one) => one === 'hiking') ?? offered[0] ?? 'hiking'
}
