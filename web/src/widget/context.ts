import { wear } from './brand'
import { fetchFeed, Refusal, type Page, type Parcours, type Place } from './feed'
import { counter } from './events'
import { wordsOf, type Words } from './words'

/** The attributes of the element, as its code writes them. */
export const ATTRIBUTES = ['key', 'show', 'parcours', 'ids', 'practices', 'themes', 'lang', 'color', 'height'] as const

/** The values that every part of the widget needs. */
export interface Context {
  /** The server the script comes from. */
  base: string
  language: string
  words: Words
  /** Applies the brand of the white-label; returns the logo. */
  wear: (root: ShadowRoot) => Promise<Node[]>
  show: string
  signal: AbortSignal
  page: (fields: string, number: number, size: number) => Promise<Page>
  one: () => Promise<Parcours>
  line: (id: number) => Promise<Place[]>
  /** Counts a view of a parcours. */
  seen: (id: number) => void
}

/** The address of the server: the parent of the script's folder. */
const BASE = new URL(/* @vite-ignore */ '..', import.meta.url).href.replace(/\/$/, '')

export function contextOf(element: HTMLElement, signal: AbortSignal): Context {
  const [key = '', show = '', parcours = '', ids = '', practices = '', themes = '', lang = '', color = ''] = ATTRIBUTES.map(
    (name) => element.getAttribute(name)?.trim() ?? '',
  )
  const language = (lang === '' ? document.documentElement.lang || navigator.language : lang).slice(0, 2).toLowerCase()
  const narrowed = { key, ids, practices, themes }
  return {
    base: BASE,
    language,
    words: wordsOf(language),
    wear: (root) => wear(root, BASE, key, color, signal).catch(() => []),
    show,
    signal,
    page: (fields, number, size) =>
      fetchFeed(BASE, '', { ...narrowed, fields, sort: 'priority', page: `${number}`, per_page: `${size}` }, signal),
    one: async () => {
      if (!/^\d+$/.test(parcours)) throw new Refusal('unset')
      return fetchFeed(BASE, `/${parcours}`, { key }, signal)
    },
    line: async (id) => {
      const found = await fetchFeed<{ features: { geometry: { coordinates: Place[] } | null }[] }>(
        BASE,
        '',
        { key, ids: `${id}`, fields: 'id', format: 'geojson' },
        signal,
      )
      return found.features[0]?.geometry?.coordinates ?? []
    },
    seen: counter(BASE, +(/^w(\d+)-/.exec(key)?.[1] ?? 0), language, signal),
  }
}
