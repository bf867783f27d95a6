import { FetchError, ofetch } from 'ofetch'
import { connectionProblem, problemFrom } from './problem'

let base = ''
/** The address of the API, from `/payload.json`; empty = the origin of the page. */
export function setApiBase(url: string): void {
  base = url.replace(/\/$/, '')
}

type Listener = () => void
const onUnauthorized = new Set<Listener>()
/** Called at each answer 401: the user is not signed in. */
export function whenUnauthorized(listener: Listener): () => void {
  onUnauthorized.add(listener)
  return () => void onUnauthorized.delete(listener)
}

const absolute = (url: string) => {
  const there = new URL(url, window.location.origin)
  return there.origin === window.location.origin ? `${base}${there.pathname}${there.search}` : there.href
}

/**
 * One request with ofetch's own rule: GET, HEAD and OPTIONS are tried once more on 408, 409, 425, 429, 500, 502, 503, 504
 * and when the line breaks; a mutation never is. The answer comes back unread, refused or not.
 */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await ofetch.raw(absolute(url), { credentials: 'same-origin', ...init, responseType: 'stream' })
  } catch (error) {
    if (error instanceof FetchError && error.response !== undefined) {
      if (error.response.status === 401) onUnauthorized.forEach((tell) => tell())
      return error.response
    }
    if (init.signal?.aborted === true) throw error
    throw connectionProblem()
  }
}

/** As `send`, but a refusal is thrown as a `ProblemError`. */
export async function fetchOk(url: string, init?: RequestInit): Promise<Response> {
  const response = await send(url, init)
  if (!response.ok) throw await problemFrom(response)
  return response
}
