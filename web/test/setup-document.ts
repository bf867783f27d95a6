import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach } from 'vitest'

// A machine that builds meanwhile is slow, not wrong: what takes 0.4 s alone was seen to take more than four there.
configure({ asyncUtilTimeout: 15_000 })

afterEach(() => cleanup())

// The next file of the process finds an empty document and an empty browser.
afterAll(() => {
  localStorage.clear()
  sessionStorage.clear()
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie}; Max-Age=0; Path=/`
  history.replaceState(null, '', '/')
  document.head.replaceChildren()
  document.body.replaceChildren()
  document.title = ''
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
})

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
