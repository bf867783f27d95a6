import { safeBackurl } from '@/api/backurl'
import { currentLocale } from '@/i18n'
import { withLocale } from '@/i18n/locale'
import { parameterOf } from './navigation'

/** The place that one goes to after the sign-in, or `/`. */
export const askedPlace = (): string => safeBackurl(parameterOf('backurl'))

/** Another page of the sign-in, which leads to that place too. */
export const signInLink = (path: '/login' | '/login/forgot', place: string): string =>
  `${withLocale(path, currentLocale())}${place === '/' ? '' : `?backurl=${encodeURIComponent(place)}`}`

/** Whether a place is a page of its own, outside this application; it has one address for both languages. */
export const isOutside = (place: string): boolean => /^\/terrain(\/|$)/.test(place)

const key = 'jalon.login.email'

/** Keeps the address that was typed for the page of the forgotten password, in this tab alone. */
export function keepEmail(email: string): void {
  try {
    sessionStorage.setItem(key, email.trim())
  } catch {
    // Without storage the address is typed again.
  }
}

/** The address that was kept. */
export function keptEmail(): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** Removes the address that was kept. */
export function forgetEmail(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
