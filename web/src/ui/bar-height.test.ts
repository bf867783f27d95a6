// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { barHeightRef } from './bar-height'

it('tells the styles the height of a bar while it is shown', () => {
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
  const bar = document.createElement('div')
  vi.spyOn(bar, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 60.4))
  const room = () => document.documentElement.style.getPropertyValue('--bar')
  const stop = barHeightRef(bar)
  expect(room()).toBe('61px')
  stop?.()
  expect(room()).toBe('')
  expect(barHeightRef(null)).toBeUndefined()
})
