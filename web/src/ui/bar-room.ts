/**
 * The ref of a bar that lies over the bottom of the page: styles read its height as `--bar`, and keep what takes the focus from being
 * scrolled under it.
 */
export function barRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null || typeof ResizeObserver === 'undefined') return undefined
  const root = document.documentElement
  const watch = new ResizeObserver(() => root.style.setProperty('--bar', `${Math.ceil(bar.getBoundingClientRect().height)}px`))
  watch.observe(bar)
  return () => {
    watch.disconnect()
    root.style.removeProperty('--bar')
  }
}
