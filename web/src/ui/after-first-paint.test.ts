import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let painted: (name: string) => void
beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  class Observer {
    static supportedEntryTypes = ['paint']
    disconnect = vi.fn()
    constructor(listener: (list: { getEntriesByName: (name: string) => string[] }) => void) {
      painted = (name) => listener({ getEntriesByName: (entry) => (entry === name ? [name] : []) })
    }
    observe = vi.fn()
  }
  vi.stubGlobal('PerformanceObserver', Observer)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function resolves(): Promise<() => boolean> {
  const { afterFirstPaint } = await import('./after-first-paint')
  let done = false
  void afterFirstPaint().then(() => {
    done = true
  })
  return () => done
}

it('waits for the first paint of something, not of the ground', async () => {
  const isDone = await resolves()
  painted('first-paint')
  await vi.advanceTimersByTimeAsync(10)
  expect(isDone()).toBe(false)
  painted('first-contentful-paint')
  await vi.advanceTimersByTimeAsync(0)
  expect(isDone()).toBe(true)
})

it('does not wait for ever in a window that is not drawn', async () => {
  const isDone = await resolves()
  await vi.advanceTimersByTimeAsync(999)
  expect(isDone()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isDone()).toBe(true)
})

it('does not wait where paints are not reported', async () => {
  vi.stubGlobal('PerformanceObserver', undefined)
  const isDone = await resolves()
  await vi.advanceTimersByTimeAsync(0)
  expect(isDone()).toBe(true)
})
