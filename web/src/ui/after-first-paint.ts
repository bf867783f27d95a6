/** The longest wait, ms: a hidden window never paints. */
const PAINT_TIMEOUT_MS = 1000

let painted: Promise<void> | undefined

/** Resolves once the page has painted something, at once where it has: for scripts so large that running them would delay it. */
export function afterFirstPaint(): Promise<void> {
  painted ??= new Promise((resolve) => {
    if (typeof PerformanceObserver === 'undefined' || !PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve()
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'paint', buffered: true })
    setTimeout(resolve, PAINT_TIMEOUT_MS)
  })
  return painted
}
