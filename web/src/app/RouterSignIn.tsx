import { Outlet, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SignInHostContext, type SignInHost } from '@/features/login/host'
import { useMoveUrl } from './useMoveUrl'

/** The pages of the sign-in where the router leads to them: a session is asked for, and there is none. */
export function RouterSignIn() {
  const router = useRouter()
  const moveUrl = useMoveUrl()
  const host = useMemo<SignInHost>(
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
    <SignInHostContext value={host}>
      <Outlet />
    </SignInHostContext>
  )
}
