import { queryOptions } from '@tanstack/react-query'
import type { AudioWalk } from '@/api/types'
import { api, ifMatch, unwrap } from '@/api/client'

/** The interval at which a reading in progress is fetched. */
const JOB_MS = 1200
const at = (id: number, language: string) => ({ path: { id, language } })

/** The audio walk of a parcours in a language; looked at again while voices are being made. */
export const walkQuery = (id: number, language: string) =>
  queryOptions({
    queryKey: ['parcours', id, 'audio', language],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/audio/{language}', { params: at(id, language) })),
    refetchInterval: ({ state }) => (state.data?.job?.state === 'running' ? JOB_MS : false),
  })

export const saveWalk = (id: number, language: string, version: number, walk: AudioWalk) =>
  unwrap(api.PUT('/api/v1/parcours/{id}/audio/{language}', { params: { ...at(id, language), header: ifMatch(version) }, body: walk }))

/** Have the texts read that no voice read yet. */
export const speak = (id: number, language: string) =>
  unwrap(api.POST('/api/v1/parcours/{id}/audio/{language}/speech', { params: at(id, language) }))

/** Stop after the text that is being read. */
export const stopSpeaking = (id: number, language: string) =>
  unwrap(api.DELETE('/api/v1/parcours/{id}/audio/{language}/speech', { params: at(id, language) }))

/** The voices of this server. */
export const voicesQuery = (language: string) =>
  queryOptions({
    queryKey: ['voices', language],
    queryFn: () => unwrap(api.GET('/api/v1/voices', { params: { query: { language } } })).then(({ items }) => items),
    staleTime: 300_000,
  })
