import { vi } from 'vitest'

/** Gives the window and every element a size and a place, which jsdom does not: a menu whose button has none is hidden. */
export function stubLayout() {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1024)
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(768)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ x: 100, y: 100, width: 80, height: 20 }))
}
