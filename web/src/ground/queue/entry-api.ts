import { api, unwrap } from '@/api/client'
import { connectionProblem } from '@/api/problem'
import type { EntryApi } from './send'

/** The time limit of a request, milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000

/** File name extensions by MIME type. A sound in WebM is `.weba`: `.webm` would be taken for a video. */
const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'audio/webm': 'weba', 'audio/ogg': 'ogg', 'audio/mp4': 'm4a' }

/** Sends entries to the server. */
export const entryApi: EntryApi = {
  signedIn: async () => (await answered(unwrap(api.GET('/api/v1/session', { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })))).id,
  upload: async (photo, { key, ...resumed }) => {
    // Sending by tus is needed only with a photo or a sound.
    const { sendOnce } = await import('@/records/media/import/tus')
    // Photos of an earlier version have no type.
    const type = photo.type === '' ? 'image/jpeg' : photo.type
    return sendOnce(new File([photo], `terrain-${key.slice(0, 8)}.${endings[type] ?? 'bin'}`, { type }), resumed)
  },
  put: (id, body) =>
    answered(
      unwrap(api.PUT('/api/v1/ground/entries/{id}', { params: { path: { id } }, body, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })),
    ),
}

/** Reports a request that reached its time limit as a connection failure. */
async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')) throw connectionProblem()
    throw error
  }
}
