import { Outlet, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SignInNavigationContext, type SignInNavigation } from '@/features/login/navigation'
import { useMoveUrl } from './useMoveUrl'

/** The pages of the sign-in where the router leads to them: a session is asked for, and there is none. */
export function RouterSignIn() {
  const router = useRouter()
  const moveUrl = useMoveUrl()
  const host = useMemo<SignInNavigation>(
    () => ({
      go: (address) => {
        router.history.replace(address)
        return Promise.resolve()
      },
      moveUrl,
    }),
    [router, moveUrl],
  )
  return (
    <SignInNavigationContext value={host}>
      <Outlet />
    </SignInNavigationContext>
  )
}
