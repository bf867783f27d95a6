// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { barHeightRef } from './bar-height'

it('gives what scrolls the height of a bar while it is shown, and nothing to the page', () => {
  let told: () => void = () => undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        told = tell
      }
      observe() {
        told()
      }
      disconnect() {}
    },
  )
  const main = document.createElement('main')
  main.innerHTML = '<div data-scroller><div id="bar"></div></div>'
  const [list, bar] = [main.querySelector<HTMLElement>('[data-scroller]'), main.querySelector<HTMLElement>('#bar')]
  if (list === null || bar === null) throw new Error('no bar')
  vi.spyOn(bar, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 60.4))
  const heights = () => [main, list, document.documentElement].map((one) => one.style.getPropertyValue('--bar-height'))
  const stop = barHeightRef(bar)
  expect(heights()).toEqual(['61px', '61px', ''])
  stop?.()
  expect(heights()).toEqual(['', '', ''])
  expect(barHeightRef(null)).toBeUndefined()
})
