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

let beforeRefusals = (): Promise<unknown> => Promise.resolve()
/** Work to finish before a refusal is reported: the texts of the errors are fetched. */
export function setBeforeRefusals(work: () => Promise<unknown>): void {
  beforeRefusals = work
}
/** The longest wait for these texts, ms; then the refusal is reported without them. */
const TEXTS_TIMEOUT_MS = 3000
const refusalTextsReady = () =>
  Promise.race([beforeRefusals().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, TEXTS_TIMEOUT_MS))])

const absolute = (url: string) => {
  const there = new URL(url, window.location.origin)
  return there.origin === window.location.origin ? `${base}${there.pathname}${there.search}` : there.href
}

/** Methods that change nothing, and the statuses after which such a request is retried once. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const transientStatuses = new Set([408, 409, 425, 429, 500, 502, 503, 504])

/** Sends a request; one that changes nothing is retried once after a transient failure. */
async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  if (!safeMethods.has((init.method ?? 'GET').toUpperCase())) return fetch(url, init)
  try {
    const response = await fetch(url, init)
    if (!transientStatuses.has(response.status)) return response
  } catch (error) {
    if (init.signal?.aborted === true) throw error
  }
  return fetch(url, init)
}

/**
 * One request: GET, HEAD and OPTIONS are tried once more on 408, 409, 425, 429, 500, 502, 503, 504 and when the connection breaks; a mutation
 * never is. Returns the answer with its body unread, also when it is a refusal.
 */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await fetchWithRetry(absolute(url), { credentials: 'same-origin', ...init })
    if (response.status === 401) onUnauthorized.forEach((listener) => listener())
    // A missing session is not reported in words: it leads to the sign-in page.
    if (response.status >= 400 && (response.status !== 401 || (init.method ?? 'GET') !== 'GET')) await refusalTextsReady()
    return response
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    await refusalTextsReady()
    throw connectionProblem()
  }
}

/** As `send`, but a refusal is thrown as a `ProblemError`. */
export async function fetchOk(url: string, init?: RequestInit): Promise<Response> {
  const response = await send(url, init)
  if (!response.ok) throw await problemFrom(response)
  return response
}
