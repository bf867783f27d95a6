import { queryOptions } from '@tanstack/react-query'
import type { AudioWalk, AudioWalkView, VoiceEngine } from '@/api/model'
import { callApi } from '@/api/resource'

/** How often voices that are being made are looked at. */
const JOB_MS = 1200
const at = (id: number, language: string) => `/api/v1/parcours/${id}/audio/${language}`

/** The audio walk of a parcours in a language; looked at again while voices are being made. */
export const walkQuery = (id: number, language: string) =>
  queryOptions({
    queryKey: ['parcours', id, 'audio', language],
    queryFn: () => callApi<AudioWalkView>('GET', at(id, language)),
    refetchInterval: ({ state }) => (state.data?.job?.state === 'running' ? JOB_MS : false),
  })

export const saveWalk = (id: number, language: string, version: number, walk: AudioWalk) => callApi<AudioWalkView>('PUT', at(id, language), { version, body: walk })

/** Have the texts read that no voice read yet. */
export const speak = (id: number, language: string) => callApi<AudioWalkView>('POST', `${at(id, language)}/speech`, { body: {} })

/** Stop after the text that is being read. */
export const stopSpeaking = (id: number, language: string) => callApi<undefined>('DELETE', `${at(id, language)}/speech`)

/** What reads aloud on this server. */
export const voicesQuery = (language: string) =>
  queryOptions({ queryKey: ['voices', language], queryFn: () => callApi<{ items: VoiceEngine[] }>('GET', '/api/v1/voices', { query: { language } }).then(({ items }) => items), staleTime: 300_000 })
