import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { long, unwrapLong } from '@/api/long/long'
import type { Parcours, Trace } from '@/api/types'
import { payload } from '@/api/payload'
import { profileIn } from '@/records/parcours/practices'
import { liveServices } from './editor/services'

/** The parcours and its trace, read together; the editor then works on a separate copy. */
export const openingQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'trace-editor'],
    queryFn: ({ client }) => liveServices.read(id, client.getQueryData<Parcours>(['parcours', id])),
    staleTime: Infinity,
    // The copy that is being edited is another; this one is only handed from the loader to the page.
    gcTime: 30_000,
    refetchOnWindowFocus: false,
  })

/** Every save of the parcours, newest first. */
export const revisionsQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'revisions', version],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/revisions', { params: { path: { id } } })).then(({ items }) => items),
  })

/** The trace as a save left it, null when there was none yet; what a save made never changes. */
export const pastTraceQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'trace-editor', 'past', version],
    queryFn: async (): Promise<Trace | null> => {
      const past = await unwrap(api.GET('/api/v1/parcours/{id}/revisions/{version}', { params: { path: { id, version } } }))
      const revision = past.parcours.trace?.revision
      return revision === undefined
        ? null
        : unwrapLong(api.GET('/api/v1/parcours/{id}/trace', { params: { path: { id }, query: { revision } }, ...long }))
    },
    staleTime: Infinity,
  })

/** The practices, for the profile that the planner starts with. */
export const practicesQuery = queryOptions({
  queryKey: ['vocabularies', 'practice_type'],
  queryFn: () => unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind: 'practice_type' } } })),
  staleTime: 5 * 60_000,
})

/** The planner's profiles that a white-label offers: all of them where it chose none. */
export const offeredProfilesQuery = (whiteLabelId: number) =>
  queryOptions({
    queryKey: ['white-label', whiteLabelId, 'profiles'],
    queryFn: async () => {
      const { planner_profiles } = await unwrap(api.GET('/api/v1/white-labels/{id}', { params: { path: { id: whiteLabelId } } }))
      return planner_profiles.length === 0 ? payload().profiles : planner_profiles
    },
    staleTime: 5 * 60_000,
  })

/** The planner's profile of a practice; the first one offered when the practice has none. */
export function profileOf(practices: Parameters<typeof profileIn>[0], practiceId: number | null): string {
  const offered = payload().profiles
  const own = profileIn(practices, practiceId)
  return offered.find((one) => one === own) ?? offered.find((one) => one === 'hiking') ?? offered[0] ?? 'hiking'
}
