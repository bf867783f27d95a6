import { vi } from 'vitest'
import { ProblemError } from '@/api/problem'

/** The JSON that a call sends; nothing where it sends none, or a file. */
export function sentBody({ headers, body }: RequestInit): unknown {
  if (new Headers(headers).get('content-type')?.startsWith('application/json') !== true) return undefined
  const text = typeof body === 'string' ? body : body instanceof ArrayBuffer ? new TextDecoder().decode(body) : ''
  return text === '' ? undefined : JSON.parse(text)
}

interface Sent {
  version?: number
  body?: unknown
}
type Server = (method: string, path: string, sent?: Sent) => Promise<unknown>

/** A server for a test: it gets each call, with the version of its `If-Match` and its body; a `ProblemError` is a refusal. */
export function aServer() {
  const called = vi.fn<Server>()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { method = 'GET', headers } = init
    const body = sentBody(init)
    const version = /"(\d+)"/.exec(new Headers(headers).get('if-match') ?? '')?.[1]
    const sent: Sent = { ...(version === undefined ? {} : { version: Number(version) }), ...(body === undefined ? {} : { body }) }
    try {
      const answer = await called(method, new URL(url, 'http://jalon.test').pathname, sent)
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
    } catch (error) {
      if (error instanceof ProblemError) return Response.json({ code: error.code, errors: error.faults }, { status: error.status })
      throw error
    }
  })
  return called
}
