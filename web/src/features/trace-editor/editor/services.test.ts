// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import type { Parcours } from '@/api/types'
import { liveServices } from './services'

afterEach(() => vi.unstubAllGlobals())

/** A server with one parcours; gives the addresses that are asked for. */
function aServer(trace: { revision: number } | null): string[] {
  const requests: string[] = []
  vi.stubGlobal('fetch', (input: Request | string) => {
    const { pathname } = new URL(typeof input === 'string' ? input : input.url, 'http://localhost')
    requests.push(pathname)
    if (!pathname.endsWith('/trace')) return Promise.resolve(Response.json({ id: 7, trace }))
    return Promise.resolve(trace === null ? Response.json({ code: 'parcours/no-trace' }, { status: 404 }) : Response.json(trace))
  })
  return requests
}
const without = { id: 7, trace: null } as unknown as Parcours

it('asks for the trace beside a parcours that is not known yet', async () => {
  const requests = aServer({ revision: 3 })
  expect((await liveServices.read(7)).trace).toEqual({ revision: 3 })
  expect(requests).toEqual(['/api/v1/parcours/7/trace', '/api/v1/parcours/7'])
})

it('asks for no trace of a parcours that is known to have none', async () => {
  const requests = aServer(null)
  expect((await liveServices.read(7, without)).trace).toBeNull()
  expect(requests).toEqual(['/api/v1/parcours/7'])
})

it('reads the trace that a parcours was given since', async () => {
  aServer({ revision: 1 })
  expect((await liveServices.read(7, without)).trace).toEqual({ revision: 1 })
})
