import {
  createElement,
  Fragment,
  isValidElement,
  cloneElement,
  useCallback,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react'
import { compose, typesetAll, type Messages, type Params } from './messages'
import type { AnyKey, Area, KeyOf } from './resources'

/** French has no prefix in paths, English lives under `/en`. */
export type Locale = 'fr' | 'en'
export const locales: readonly Locale[] = ['fr', 'en']

/** The BCP 47 tag of a locale: English is American. */
export const tagOf = (locale: Locale) => (locale === 'fr' ? 'fr-FR' : 'en-US')
/** Days and times are written as the texts are: “1 May 2026, 14:41”, on public pages and in roadbooks too. */
export const dateTagOf = (locale: Locale) => (locale === 'fr' ? 'fr-FR' : 'en-GB')

const files = import.meta.glob<Messages>('./{fr,en}/*.json', { import: 'default' })
const texts: Record<Locale, Map<string, Messages>> = { fr: new Map(), en: new Map() }
/** Areas asked for so far: a switch of language must bring them all before it happens. */
const wanted = new Set<string>()
let shown: Locale = 'fr'
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

async function readArea(locale: Locale, area: string): Promise<void> {
  if (texts[locale].has(area)) return
  const read = files[`./${locale}/${area}.json`]
  if (read === undefined) throw new Error(`no texts for ${locale}/${area}`)
  const messages = await read()
  texts[locale].set(area, typesetAll(messages, locale))
}

const readAreas = (locale: Locale, areas: readonly string[]) => Promise.all(areas.map((area) => readArea(locale, area)))

/** The language now shown. */
export const currentLocale = (): Locale => shown

/**
 * Bring the texts of some areas (`src/i18n/{fr,en}/<area>.json`) in the language now shown: the one at the end, where it is switched while
 * they come.
 */
export async function ensureTexts(...areas: string[]): Promise<void> {
  areas.forEach((area) => wanted.add(area))
  let locale: Locale
  do {
    locale = shown
    await readAreas(locale, areas)
  } while (locale !== shown)
}

/** Bring everything in use in another language, areas asked for meanwhile too; rejects when one file does not come. Shows nothing yet. */
export async function loadLocale(locale: Locale): Promise<void> {
  let count: number
  do {
    count = wanted.size
    await readAreas(locale, [...wanted])
  } while (count !== wanted.size)
}

/** Show a language whose texts `loadLocale` brought. */
export function showLocale(locale: Locale): void {
  shown = locale
  document.documentElement.lang = tagOf(locale)
  listeners.forEach((listener) => listener())
}

/** Start the texts in one language, with the areas every screen needs. The language is set at once: a page may ask for its texts while these come. */
export async function startTexts(locale: Locale, areas: string[] = ['common', 'shell']): Promise<void> {
  showLocale(locale)
  await ensureTexts(...areas)
}

function find(area: string, key: string, params: Params): string | undefined {
  const parted = /^(\w+):(.+)$/s.exec(key)
  const messages = texts[shown].get(parted?.[1] ?? area)
  return messages === undefined ? undefined : compose(messages, parted?.[2] ?? key, params, tagOf(shown))
}

/** A text whose key is only known at run time (an error code, a kind); `undefined` when there is none. */
export const textFor = (key: string, params: Params = {}): string | undefined => find('common', key, params)

/** The text of a key. A key without a text is shown itself, and reported in the console. */
function textOrKey(area: string, key: string, params: Params): string {
  const text = find(area, key, params)
  if (text === undefined) console.error(`no text for ${area}:${key}`)
  return text ?? key
}

/** A text outside React: `translate('errors:internal')`. */
export const translate = (key: AnyKey | KeyOf<'common'>, params: Params = {}): string => textOrKey('common', key, params)

export type Translate<A extends Area = 'common'> = (key: KeyOf<A> | AnyKey, params?: Params) => string

/** The texts of one area: `const { t } = useTranslation('parcours')`, then `t('list.title', { count })`. */
export function useTranslation<A extends Area = 'common'>(area?: A): { t: Translate<A> } {
  const locale = useSyncExternalStore(subscribe, currentLocale)
  const name = area ?? 'common'
  // The language is in the list so that what is memoised by `t` is made anew in another language.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const t = useCallback<Translate<A>>((key, params = {}) => textOrKey(name, key, params), [name, locale])
  return { t }
}

export interface TransProps<A extends Area> {
  t: Translate<A>
  i18nKey: KeyOf<A> | AnyKey
  values?: Params
  /** The elements that stand in the text as `<name>words</name>`. */
  components: Record<string, ReactElement>
}

/** A text with elements in it: a link, words in bold. */
export function Trans<A extends Area>({ t, i18nKey, values = {}, components }: TransProps<A>): ReactNode {
  const parts = t(i18nKey, values).split(/<(\w+)>(.*?)<\/\1>/s)
  const nodes = parts.map((part, i): ReactNode => {
    // Text, name, words, text, name, words, text…
    if (i % 3 === 1) return null
    const element = i % 3 === 2 ? components[parts[i - 1] ?? ''] : undefined
    return isValidElement(element) ? cloneElement(element, { key: i }, part) : part
  })
  return createElement(Fragment, null, ...nodes)
}
