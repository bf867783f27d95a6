/**
 * The ref of a bar that covers the bottom of what scrolls: `main`, or a list within it that has `data-scroller`. It writes the bar's
 * height to their CSS variable `--bar-height`, which nothing inherits: only their own style is calculated anew.
 */
export function barHeightRef(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null || typeof ResizeObserver === 'undefined') return undefined
  const scrollers = ['main', '[data-scroller]'].flatMap((selector) => bar.closest<HTMLElement>(selector) ?? [])
  const watch = new ResizeObserver(() => {
    const height = `${Math.ceil(bar.getBoundingClientRect().height)}px`
    for (const { style } of scrollers) if (style.getPropertyValue('--bar-height') !== height) style.setProperty('--bar-height', height)
  })
  watch.observe(bar)
  return () => {
    watch.disconnect()
    for (const { style } of scrollers) style.removeProperty('--bar-height')
  }
}
