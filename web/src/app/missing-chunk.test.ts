// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepsOnDemand } from '@/records/form/draft'
import { isMissingChunk, reloadForNewerBuild, watchMissingChunks } from './missing-chunk'

const serverHas = (id: string) => vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ id, timestamp: 1 }))))

beforeEach(() => {
  sessionStorage.clear()
  document.head.innerHTML = '<meta name="jalon-build" content="old" />'
})
afterEach(() => vi.unstubAllGlobals())

test('what was typed is kept when a part of the app cannot be fetched, and its error is known again', () => {
  const keep = vi.fn()
  const stop = keepsOnDemand(keep)
  watchMissingChunks()
  const error = new TypeError('Failed to fetch dynamically imported module')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  stop()
  expect(keep).toHaveBeenCalledOnce()
  expect([isMissingChunk(error), isMissingChunk(new Error('other')), isMissingChunk(undefined)]).toEqual([true, false, false])
})

test('the page is loaded again once for each build', async () => {
  serverHas('new')
  const reload = vi.fn()
  expect(await reloadForNewerBuild(reload)).toBe(true)
  // The load balancer gave the page of the older server again.
  expect(await reloadForNewerBuild(reload)).toBe(false)
  expect(reload).toHaveBeenCalledOnce()
})

test('without a newer build, or without a network, the page stays', async () => {
  const reload = vi.fn()
  serverHas('old')
  expect(await reloadForNewerBuild(reload)).toBe(false)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  expect(await reloadForNewerBuild(reload)).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})
