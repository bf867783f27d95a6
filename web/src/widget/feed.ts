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
/** A parcours, whole. */
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

/** Why nothing is shown, by the name of its sentence. */
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

/** Asks the public feed. The key goes in the address, so that browsers ask once and not twice. */
export async function ask<T>(base: string, path: string, params: Record<string, string>, signal: AbortSignal): Promise<T> {
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

/** The words of a text in a language, and the language they are in where it is another. */
export function say(text: Text | null, language: string): { words: string; lang: string | null } {
  const found = [language, 'fr', 'en', ...Object.keys(text ?? {})].find((one) => (text?.[one] ?? '') !== '')
  return found === undefined ? { words: '', lang: null } : { words: text?.[found] ?? '', lang: found === language ? null : found }
}
