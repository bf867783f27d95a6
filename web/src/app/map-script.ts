/**
 * Fetches the script of the map (its address is written into the page at build time), after what the page itself needs, and does not run it:
 * the page is painted first (`afterFirstPaint`).
 */
export function fetchMapScript(): void {
  const file = document.querySelector<HTMLMetaElement>('meta[name="jalon-map"]')?.content
  if (file === undefined) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}
