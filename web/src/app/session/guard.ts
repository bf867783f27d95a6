import { redirect } from '@tanstack/react-router'
import { ProblemError } from '@/api/problem'
import { queryClient } from '@/api/query-client'
import { meQuery } from '@/api/session'
import { withoutLocale } from '@/i18n/locale'

/** Asks for the session before the router does. */
export const fetchSession = (): Promise<void> => queryClient.prefetchQuery(meQuery)

/** Without a session: to the sign-in page, with the path asked for. */
export async function requireSession(requested: string): Promise<void> {
  try {
    const me = await queryClient.ensureQueryData(meQuery)
    // A user who must have a second factor sets it up before anything else.
    if (me.totp_required && !me.totp_enabled && withoutLocale(new URL(requested, window.location.origin).pathname) !== '/account')
      throw redirect({ to: '/account' })
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401)
      throw redirect({ to: '/login', search: requested === '/' || requested === '/en' ? {} : { backurl: requested } })
    throw error
  }
}
