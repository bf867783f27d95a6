/** What the address of the page is of: `/p/<slug>-<number>` or `/s/<token>`, `/en` before either. */
export function subjectOf(path: string): { parcours_id: number } | { share: string } | null {
  const [, kind, name] = /^(?:\/en)?\/([ps])\/([^/]+)\/?$/.exec(path) ?? []
  if (name === undefined) return null
  if (kind === 's') return { share: decodeURIComponent(name) }
  const number = Number(name.slice(name.lastIndexOf('-') + 1))
  return Number.isInteger(number) && number > 0 ? { parcours_id: number } : null
}

/** Sends an event to the server; it does not identify the visitor, and the page does not wait for the answer. */
export function tell(kind: 'view' | 'share', referrer = ''): void {
  const subject = subjectOf(location.pathname)
  if (subject === null) return
  const event = { kind, ...subject, language: document.documentElement.lang, ...(referrer === '' ? {} : { referrer }) }
  navigator.sendBeacon?.('/api/public/v1/events', JSON.stringify({ events: [event] }))
}

/** Once the page is in sight: one that a browser prepares ahead was not looked at. Of where the reader comes from, the site alone. */
export function tellView(): void {
  const seen = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', seen)
    tell('view', document.referrer === '' ? '' : new URL(document.referrer).origin)
  }
  document.addEventListener('visibilitychange', seen)
  seen()
}
