/**
 * The ref of a bar that covers the bottom of the page. It writes the bar's height to the CSS variable `--bar`, so that styles can
 * scroll a focused control above the bar.
 */
export function barHeightRef(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null || typeof ResizeObserver === 'undefined') return undefined
  const root = document.documentElement
  const watch = new ResizeObserver(() => root.style.setProperty('--bar', `${Math.ceil(bar.getBoundingClientRect().height)}px`))
  watch.observe(bar)
  return () => {
    watch.disconnect()
    root.style.removeProperty('--bar')
  }
}
