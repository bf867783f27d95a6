import type { StyleSpecification } from 'maplibre-gl'
import { payload } from '@/api/payload'
import { palettes } from './palette'

type Scheme = 'light' | 'dark'

/** A plain background, shown when the base map cannot be loaded. */
export const plainGround = (scheme: Scheme): StyleSpecification => ({
  version: 8,
  sources: {},
  layers: [{ id: 'ground', type: 'background', paint: { 'background-color': palettes[scheme].land } }],
})

/** The configured style of a theme. */
export const styleUrl = (scheme: Scheme): string => payload().map[scheme === 'dark' ? 'style_dark' : 'style_light']

/** Whether a style is this server's: tests have read it, a browser need not. */
export const isOwnStyle = (url: string): boolean => url.startsWith('/')

/** How long a style is used again without asking, ms: as the server lets it be cached. */
const FRESH_MS = 300_000

interface Read {
  at: number
  style: Promise<StyleSpecification>
  /** Once it has come. */
  come?: StyleSpecification
}
const read = new Map<string, Read>()

const isFresh = ({ at }: Read): boolean => performance.now() - at < FRESH_MS

/** The configured style; rejects when the server doesn't give one. */
export function fetchStyle(url: string, afresh = false): Promise<StyleSpecification> {
  const before = read.get(url)
  if (before !== undefined && !afresh && isFresh(before)) return before.style
  const now: Read = { at: performance.now(), style: ask(url, afresh) }
  read.set(url, now)
  now.style.then(
    (style) => {
      now.come = style
    },
    () => read.get(url) === now && read.delete(url),
  )
  return now.style
}

/** The style, where it has come already: the map is then made with it. */
export function styleAtHand(url: string): StyleSpecification | undefined {
  const before = read.get(url)
  return before !== undefined && isFresh(before) ? before.come : undefined
}

async function ask(url: string, afresh: boolean): Promise<StyleSpecification> {
  const response = await fetch(url, { cache: afresh ? 'reload' : 'default' })
  if (!response.ok) throw new Error(`style ${response.status}`)
  return (await response.json()) as StyleSpecification
}

/** Asks for the style of the theme shown, before the script of the map has come. */
export function fetchStyleAhead(): void {
  const scheme = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark' ? 'dark' : 'light'
  // The map reports a failure.
  fetchStyle(styleUrl(scheme)).catch(() => undefined)
}

/** MapLibre's worker knows no page: an address of this server that starts with `/` is made absolute. */
export const wholeAddress = (url: string) => ({ url: url.startsWith('/') ? `${window.location.origin}${url}` : url })
