import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A machine that builds meanwhile is slow, not wrong: one second is too short there.
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => cleanup())

// jsdom has no layout: what Mantine asks of the browser gets an honest "nothing matches".
window.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
})) as typeof window.matchMedia
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
if (!('scrollIntoView' in Element.prototype)) Object.assign(Element.prototype, { scrollIntoView: () => undefined })
