// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api, ifMatch, unwrap } from './client'
import { send, whenUnauthorized } from './http'
import { ProblemError } from './problem'

const replies: (Response | Error)[] = []
const requests: { url: string; method: string; body: unknown }[] = []

beforeEach(() => {
  replies.length = requests.length = 0
  vi.stubGlobal('fetch', (url: unknown, init?: RequestInit) => {
    expect(url, 'fetch was handed a Request').toBeTypeOf('string')
    requests.push({ url: String(url), method: init?.method ?? 'GET', body: init?.body })
    const reply = replies.shift() ?? new Response('{}', { status: 200 })
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply)
  })
})
afterEach(() => vi.unstubAllGlobals())

const refusal = (status: number, body: unknown = { code: 'internal' }, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const retried = [408, 409, 425, 429, 500, 502, 503, 504]
const final = [400, 401, 403, 404, 410, 412, 413, 415, 422, 428, 501, 505]

describe('the retry rule', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'].flatMap((method) => retried.map((status) => [method, status] as const)))(
    'asks once more: %s answered %i',
    async (method, status) => {
      replies.push(refusal(status), new Response(method === 'HEAD' ? null : 'ok', { status: 200 }))
      const answer = await send('/api/x', { method })
      expect([answer.status, requests.length]).toEqual([200, 2])
    },
  )

  it.each(retried)('gives up after the second %i', async (status) => {
    replies.push(refusal(status), refusal(status), refusal(200))
    expect([(await send('/api/x')).status, requests.length]).toEqual([status, 2])
  })

  it.each(final)('never asks again after %i', async (status) => {
    replies.push(refusal(status))
    expect([(await send('/api/x')).status, requests.length]).toEqual([status, 1])
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => retried.map((status) => [method, status] as const)))(
    'never sends a mutation twice: %s answered %i',
    async (method, status) => {
      replies.push(refusal(status))
      expect([(await send('/api/x', { method, body: method === 'DELETE' ? null : '{}' })).status, requests.length]).toEqual([status, 1])
    },
  )

  it('asks once more when the line breaks, and a mutation not', async () => {
    replies.push(new TypeError('Failed to fetch'), new Response('ok'))
    expect((await send('/api/x')).status).toBe(200)
    expect(requests.length).toBe(2)
    replies.push(new TypeError('Failed to fetch'))
    await expect(send('/api/x', { method: 'POST', body: '{}' })).rejects.toMatchObject({ code: 'connection', status: 0 })
    expect(requests.length).toBe(3)
  })
})

describe('the typed client', () => {
  it('sends a DELETE once, with its If-Match', async () => {
    replies.push(refusal(503))
    await expect(
      unwrap(api.DELETE('/api/v1/parcours/{id}', { params: { path: { id: 4 }, header: { 'If-Match': '"2"' } } })),
    ).rejects.toMatchObject({ status: 503 })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['DELETE /api/v1/parcours/4'])
  })

  it('turns a refusal into a problem with its faults, parameters and delay', async () => {
    replies.push(
      refusal(422, { code: 'validation/failed', errors: [{ code: 'validation/too-long', field: '/title/fr', params: { max: 80 } }] }),
    )
    const error: unknown = await unwrap(
      api.PATCH('/api/v1/parcours/{id}', { params: { path: { id: 4 }, header: ifMatch(1) }, body: { title: { fr: 'x' } } }),
    ).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ status: 422, code: 'validation/failed', faults: [{ field: '/title/fr', params: { max: 80 } }] })
    replies.push(refusal(429, { code: 'auth/too-many-tries' }, { 'retry-after': '8' }))
    await expect(unwrap(api.POST('/api/v1/session', { body: { email: 'a', password: 'b' } }))).rejects.toMatchObject({ retryAfterS: 8 })
  })

  it('names a refusal that holds no problem after its status', async () => {
    replies.push(new Response('<html>Bad gateway</html>', { status: 502 }), new Response('<html>', { status: 502 }))
    await expect(unwrap(api.GET('/api/v1/session'))).rejects.toMatchObject({ code: 'http/502', status: 502 })
  })

  it('tells that nobody is signed in any more', async () => {
    const listener = vi.fn()
    const stop = whenUnauthorized(listener)
    replies.push(refusal(401, { code: 'session/expired' }))
    await expect(unwrap(api.GET('/api/v1/session'))).rejects.toMatchObject({ status: 401 })
    stop()
    expect(listener).toHaveBeenCalledOnce()
  })
})
