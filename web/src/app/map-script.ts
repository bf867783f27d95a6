/**
 * Fetches the script of the map (its address is written into the page at build time), after what the page itself needs. It is neither compiled
 * nor run (that is why it is no `modulepreload`): the page is painted first (`afterFirstPaint`).
 */
export function fetchMapScript(): void {
  const file = document.querySelector<HTMLMetaElement>('meta[name="jalon-map"]')?.content
  if (file === undefined) return
  const link = document.createElement('link')
  Object.assign(link, { rel: 'preload', as: 'script', crossOrigin: 'anonymous', fetchPriority: 'low', href: file })
  document.head.append(link)
}
