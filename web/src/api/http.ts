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
/** What is fetched before a refusal is handed on: the words for it. */
export function setBeforeRefusals(work: () => Promise<unknown>): void {
  beforeRefusals = work
}
/** How long the words of a refusal are waited for, ms: without them it is handed on too. */
const WORDS_MS = 3000
const prepared = () => Promise.race([beforeRefusals().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, WORDS_MS))])

const absolute = (url: string) => {
  const there = new URL(url, window.location.origin)
  return there.origin === window.location.origin ? `${base}${there.pathname}${there.search}` : there.href
}

/** Methods that change nothing, and what of their answers is worth asking once more for. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS'])
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504])

/** One request, and a second where the first came to nothing. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  if (!reading.has((init.method ?? 'GET').toUpperCase())) return fetch(url, init)
  try {
    const response = await fetch(url, init)
    if (!passing.has(response.status)) return response
  } catch (error) {
    if (init.signal?.aborted === true) throw error
  }
  return fetch(url, init)
}

/**
 * One request: GET, HEAD and OPTIONS are tried once more on 408, 409, 425, 429, 500, 502, 503, 504 and when the line breaks; a mutation never
 * is. The answer comes back unread, refused or not.
 */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await ask(absolute(url), { credentials: 'same-origin', ...init })
    if (response.status === 401) onUnauthorized.forEach((tell) => tell())
    // A missing session is not reported in words: it leads to the sign-in page.
    if (response.status >= 400 && (response.status !== 401 || (init.method ?? 'GET') !== 'GET')) await prepared()
    return response
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    await prepared()
    throw connectionProblem()
  }
}

/** As `send`, but a refusal is thrown as a `ProblemError`. */
export async function fetchOk(url: string, init?: RequestInit): Promise<Response> {
  const response = await send(url, init)
  if (!response.ok) throw await problemFrom(response)
  return response
}
