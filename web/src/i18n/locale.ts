import { currentLocale, loadLocale, locales, showLocale, type Locale } from './index'

const prefix = /^\/en(?=\/|$)/

/** The language a path is in: `/en/…` is English, everything else French. */
export const localeOfPath = (path: string): Locale => (prefix.test(path) ? 'en' : 'fr')
/** The path without its language. */
export const withoutLocale = (path: string): string => path.replace(prefix, '') || '/'
/** The path of a screen in one language. */
export const withLocale = (path: string, locale: Locale): string => {
  const bare = withoutLocale(path)
  if (locale === 'fr') return bare
  return bare === '/' ? '/en' : `/en${bare}`
}

const day = 86_400
/** Write one of the language cookies. */
export function writeCookie(name: 'locale' | 'i18n_redirected', value: string, document_: Document = document): void {
  const maxAge = (name === 'locale' ? 365 : 3) * day
  document_.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax`
}
export function readCookie(name: string, cookies: string = document.cookie): string | undefined {
  const found = cookies.split('; ').find((part) => part.startsWith(`${name}=`))
  return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1))
}

const known = (code: string | undefined): Locale | undefined => locales.find((locale) => code?.toLowerCase().split('-')[0] === locale)

/** The language of a first visit: the cookie, then what the browser accepts, then the configured default, then en-US. */
export function preferredLocale(cookie: string | undefined, accepted: readonly string[], configured: string | undefined): Locale {
  return known(cookie) ?? accepted.map(known).find((locale) => locale !== undefined) ?? known(configured) ?? 'en'
}

/**
 * Where a visit should start: a path that names its language keeps it; one that doesn't follows the choice made
 * earlier, and on a first visit the browser. Returns the locale to start in, and whether the path must change for it.
 */
export function startLocale(
  path: string,
  cookies: string,
  accepted: readonly string[],
  configured: string | undefined,
): { locale: Locale; redirect: boolean } {
  if (localeOfPath(path) === 'en') return { locale: 'en', redirect: false }
  const chosen = readCookie('locale', cookies)
  const visited = readCookie('i18n_redirected', cookies)
  const locale = chosen === undefined && visited !== undefined ? 'fr' : preferredLocale(chosen, accepted, configured)
  return { locale, redirect: locale !== 'fr' }
}

/** What a switch needs to move the URL; the router gives it. */
export interface LocaleHost {
  /** Move the URL to the same screen under the language now shown. */
  moveUrl: () => Promise<void>
}

/**
 * Change language on the same screen. The old page and its URL stay until every text is there; then both change
 * together. A load that fails rejects and changes nothing.
 */
export async function switchLocale(next: Locale, host: LocaleHost): Promise<void> {
  if (next === currentLocale()) return
  await loadLocale(next)
  showLocale(next)
  writeCookie('locale', next)
  await host.moveUrl()
}
