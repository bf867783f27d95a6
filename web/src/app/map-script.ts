/**
 * Fetches the script of the map (its files are written into the page at build time), after what the page itself needs, and does not run it:
 * the page is painted first (`afterFirstPaint`).
 */
export function fetchMapScript(): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name="jalon-map"]')?.content.split(' ') ?? []
  for (const file of files) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', href: file, fetchPriority: 'low' })
    document.head.append(link)
  }
}
