import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

/** French has no prefix in paths, English lives under `/en`. */
export type Locale = 'fr' | 'en'
export const locales: readonly Locale[] = ['fr', 'en']

/** The BCP 47 tag of a locale: English is American. */
export const tagOf = (locale: Locale) => (locale === 'fr' ? 'fr-FR' : 'en-US')

type Messages = Record<string, unknown>
const files = import.meta.glob<Messages>('./{fr,en}/*.json', { import: 'default' })

/** Areas asked for so far: a switch of language must bring them all before it happens. */
const wanted = new Set<string>()

/** French typography, put once at loading: narrow no-break before `; ! ?`, no-break before `: %` and inside « ». */
export function typeset(value: unknown): unknown {
  if (typeof value === 'string') {
    return value
      .replace(/ ([;!?])/g, '\u202f$1')
      .replace(/ ([:%»])/g, '\u00a0$1')
      .replace(/« /g, '«\u00a0')
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, typeset(inner)]))
}

async function readArea(locale: Locale, area: string): Promise<void> {
  if (i18next.hasResourceBundle(locale, area)) return
  const read = files[`./${locale}/${area}.json`]
  if (read === undefined) throw new Error(`no texts for ${locale}/${area}`)
  const messages = await read()
  i18next.addResourceBundle(locale, area, locale === 'fr' ? typeset(messages) : messages)
}

/** The language now shown. */
export const currentLocale = (): Locale => (i18next.language === 'en' ? 'en' : 'fr')

/** Bring the texts of some areas (`src/i18n/{fr,en}/<area>.json`) in the language now shown. */
export async function ensureTexts(...areas: string[]): Promise<void> {
  areas.forEach((area) => wanted.add(area))
  const locale = currentLocale()
  await Promise.all(areas.map((area) => readArea(locale, area)))
}

/** Bring everything already in use in another language; rejects when one file does not come. Shows nothing yet. */
export async function loadLocale(locale: Locale): Promise<void> {
  await Promise.all([...wanted].map((area) => readArea(locale, area)))
}

/** Show a language whose texts `loadLocale` brought. */
export async function showLocale(locale: Locale): Promise<void> {
  await i18next.changeLanguage(locale)
  document.documentElement.lang = tagOf(locale)
}

/** Start the texts in one language, with the areas every screen needs. */
export async function startTexts(locale: Locale, areas: string[] = ['common', 'errors', 'shell']): Promise<void> {
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: locale,
      fallbackLng: false,
      ns: [],
      defaultNS: 'common',
      resources: {},
      interpolation: { escapeValue: false },
      returnNull: false,
      // Error codes hold a `/`, some texts a `.` or a `:`: areas are parted by `:` and levels by `.` all the same.
      react: { useSuspense: false, bindI18nStore: 'added' },
    })
  }
  areas.forEach((area) => wanted.add(area))
  await loadLocale(locale)
  await showLocale(locale)
}

/** A text whose key is only known at run time (an error code, a kind); `undefined` when there is none. */
export function textFor(key: string, params?: Record<string, unknown>): string | undefined {
  return i18next.exists(key) ? String(i18next.t(key as never, params as never)) : undefined
}

export { i18next }
