import type { Words } from './words'

/** A text by language; a missing language falls back to another one. */
export type Text = Record<string, string>
interface Named {
  label: Text
}
interface Picture {
  kind: string
  url: string
  thumbnail_url: string | null
  alt: Text
  copyright: string | null
  licence: string | null
}
export type Place = [number, number]

// `openapi.public.json` has no schema for the parcours of the feed: their fields depend on the parameter `fields`.

/** The fields of a parcours on a card. */
export interface Row {
  id: number
  title: Text
  summary: Text
  practice: Named | null
  level: Named | null
  is_loop: boolean | null
  distance_m: number | null
  duration_s: number | null
  ascent_m: number | null
  start: Place | null
  media?: Picture[]
  page_url: string
}
/** A parcours with all its fields. */
export interface Parcours extends Row {
  line: number[][]
  gpx_url: string
  warning: Text | null
}
export interface Page {
  total: number
  pages: number
  items: Row[]
}

/** Why nothing is shown: the key of the message. */
export class Refusal extends Error {
  constructor(readonly why: keyof Words) {
    super(why)
  }
}

const reasons: Record<string, keyof Words> = {
  'feed/origin': 'origin',
  'feed/key-unknown': 'key',
  'feed/key-required': 'key',
  'feed/not-found': 'gone',
  'feed/page-beyond': 'none',
  'feed/too-many': 'busy',
}

/** Requests the public feed. The key is in the query and not in a header, so that browsers send no CORS preflight request. */
export async function fetchFeed<T>(base: string, path: string, params: Record<string, string>, signal: AbortSignal): Promise<T> {
  const given = Object.entries(params).filter(([, value]) => value !== '')
  const reply = await fetch(`${base}/api/public/v1/parcours${path}?${new URLSearchParams(given)}`, { credentials: 'omit', signal }).catch(
    (error: unknown) => {
      throw signal.aborted ? error : new Refusal('offline')
    },
  )
  if (reply.ok) return reply.json()
  const { code } = await reply.json().catch(() => ({ code: '' }))
  throw new Refusal(reasons[code] ?? (reply.status === 400 ? 'unset' : 'offline'))
}

/** A text in a language, else in that of the words around it, else in another one; `lang` is the language of the text if it is not that of the words around it. */
export function textIn(text: Text | null, language: string, around: string): { words: string; lang: string | null } {
  const [found = around] = [language, around, 'fr', 'en', ...Object.keys(text ?? {})].filter((one) => text?.[one])
  return { words: text?.[found] ?? '', lang: found === around ? null : found }
}
