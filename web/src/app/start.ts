import { loadPayload } from '@/api/payload'
import { setBeforeRefusals } from '@/api/http'
import { ensureTexts, startTexts } from '@/i18n'
import { startLocale, withLocale, writeCookie } from '@/i18n/locale'
import { prefetch } from '@/ui/prefetch'
import { showSignIn, signInPage, type Show } from './SignIn'

/** Asks for the session once the address of the API is known, and for the scripts around every page. */
function fetchAhead(config: Promise<unknown>): void {
  const guard = import('./session/guard')
  void import('./layout/SignedInLayout')
  void Promise.all([guard, config]).then(
    ([{ fetchSession }]) => fetchSession(),
    // Reported where it is needed.
    () => undefined,
  )
}

/** The language of the first screen; the configuration is only waited for where it decides. */
async function firstLocale(config: ReturnType<typeof loadPayload>): Promise<ReturnType<typeof startLocale>> {
  const by = (configured: string | undefined) => startLocale(window.location.pathname, document.cookie, navigator.languages, configured)
  const [one, other] = [by('fr'), by('en')]
  return one.locale === other.locale ? one : by((await config).default_locale ?? undefined)
}

/**
 * Everything before the first screen: configuration, language, texts; then the page of the sign-in, or the router. What the first page needs is
 * asked for at once: its scripts first, and its data as soon as the address of the API is known.
 */
export async function start(show: Show): Promise<void> {
  const { pathname, search, hash } = window.location
  const config = loadPayload()
  const signIn = signInPage(pathname)
  const app = signIn === undefined ? import('./app') : undefined
  if (signIn === undefined) fetchAhead(config)
  const { locale, redirect } = await firstLocale(config)
  if (redirect) window.history.replaceState(window.history.state, '', `${withLocale(pathname, locale)}${search}${hash}`)
  writeCookie('i18n_redirected', locale)
  const texts = startTexts(locale)
  setBeforeRefusals(prefetch(() => ensureTexts('errors')))
  if (app !== undefined) return show(await (await app).startApp(config, texts))
  if (signIn === undefined) return
  const page = signIn()
  await Promise.all([config, texts])
  await showSignIn(() => page, show)
}
