import { loadPayload } from '@/api/payload'
import { startTexts } from '@/i18n'
import { startLocale, withLocale, withoutLocale, writeCookie } from '@/i18n/locale'
import { currentBuildId } from './build'
import { loadRouteRules } from './route-rules'

/** Fetches the data of the signed-in pages while the scripts load: one round trip less before the first screen. */
function fetchAhead(path: string): void {
  if (withoutLocale(path).startsWith('/login')) return
  void import('./session/guard')
  void import('./layout/SignedInLayout')
}

/** Everything before the first screen: configuration, language, texts, redirects; then the router. */
export async function start() {
  const { pathname, search, hash } = window.location
  fetchAhead(pathname)
  const config = await loadPayload()
  const { locale, redirect } = startLocale(pathname, document.cookie, navigator.languages, config.default_locale ?? undefined)
  if (redirect) window.history.replaceState(window.history.state, '', `${withLocale(pathname, locale)}${search}${hash}`)
  writeCookie('i18n_redirected', locale)
  const [{ router }] = await Promise.all([import('./router'), startTexts(locale), loadRouteRules(currentBuildId())])
  return router
}
