import createClient from 'openapi-fetch'
import type { paths } from './contract'
import { send } from './http'
import { problemFrom, ProblemError } from './problem'

/** openapi-fetch hands a `Request`; ofetch is given its parts, for a `Request` it would send a DELETE twice. */
async function sendRequest(request: Request): Promise<Response> {
  const bodyless = request.method === 'GET' || request.method === 'HEAD'
  const headers = Object.fromEntries(request.headers)
  const response = await send(request.url, {
    method: request.method,
    headers,
    signal: request.signal,
    ...(bodyless ? {} : { body: await request.arrayBuffer() }),
  })
  if (!response.ok) throw await problemFrom(response)
  return response
}

/** The API, typed by the contract: `unwrap(api.GET('/api/v1/parcours/{id}', { params: { path: { id } } }))`. */
export const api = createClient<paths>({ baseUrl: typeof window === 'undefined' ? '' : window.location.origin, fetch: sendRequest })

/** The body of an answer; a refusal is already a thrown `ProblemError`. */
export async function unwrap<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await call
  // 204 has no body, and the contract types it as `undefined`.
  if (data === undefined && response.status !== 204) throw new ProblemError(response.status, { code: 'internal' })
  return data as T
}

/** `If-Match` of a version, as the server writes its ETags. */
export const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` })
