let previous: string | undefined
let current: string | undefined

/** Remember an address as the one now shown. */
export function noteVisit(url: string): void {
  if (url === current) return
  previous = current
  current = url
}

/** The address shown before this one, in this tab. */
export const previousUrl = (): string | undefined => previous
