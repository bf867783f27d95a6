// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const { handlers } = vi.hoisted(() => ({ handlers: new Map<string, () => void>() }))

// As far as drawing a map calls it.
vi.mock('maplibre-gl', () => {
  class Bounds {
    extend() {
      return this
    }
  }
  class FakeMap {
    on = (event: string, work: unknown) => {
      if (typeof work === 'function') handlers.set(event, () => work())
    }
    once = this.on
    off = (event: string) => handlers.delete(event)
    addControl() {}
    addSource() {}
    addLayer() {}
    remove() {}
  }
  return {
    AttributionControl: Bounds,
    LngLatBounds: Bounds,
    Map: FakeMap,
    NavigationControl: Bounds,
    setWorkerUrl: () => undefined,
  }
})

beforeEach(() => {
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync() {}
    },
  )
  vi.useFakeTimers()
})
afterEach(() => {
  handlers.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function drawn(): Promise<HTMLElement> {
  const { drawWidgetMap } = await import('./widget-map')
  const box = document.createElement('div')
  drawWidgetMap(box, { style: '/style', french: false, label: 'Map', noMap: 'No map here.', points: [], line: [], onPick: () => undefined })
  return box
}

it('a map that the page forbids is replaced by a sentence, and comes back if it was only slow', async () => {
  const box = await drawn()
  handlers.get('error')?.()
  expect(box.textContent).toBe('')
  vi.runAllTimers()
  expect(box.querySelector('.note')?.textContent).toBe('No map here.')
  const later = await drawn()
  vi.runAllTimers()
  expect(later.querySelector('.note'), 'its worker is the same and reports nothing any more').not.toBeNull()
  handlers.get('load')?.()
  expect(later.querySelector('.note')).toBeNull()
  expect(later.querySelector('.live')).not.toBeNull()
})

it('an error before the map has loaded is no reason to give it up', async () => {
  const box = await drawn()
  handlers.get('error')?.()
  handlers.get('load')?.()
  vi.runAllTimers()
  expect(box.querySelector('.live')).not.toBeNull()
})
