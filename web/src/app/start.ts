import { loadPayload } from '@/api/payload'
import { startTexts } from '@/i18n'
import { currentBuildId } from './build'
import { startLocale, withLocale, writeCookie } from '@/i18n/locale'
import { loadRouteRules } from './route-rules'

/** Everything before the first screen: configuration, language, texts, redirects; then the router. */
export async function start() {
  const config = await loadPayload()
  const { pathname, search, hash } = window.location
  const { locale, redirect } = startLocale(pathname, document.cookie, navigator.languages, config.default_locale)
  if (redirect) window.history.replaceState(window.history.state, '', `${withLocale(pathname, locale)}${search}${hash}`)
  writeCookie('i18n_redirected', locale)
  const [{ router }] = await Promise.all([import('./router'), startTexts(locale), loadRouteRules(currentBuildId())])
  return router
}
