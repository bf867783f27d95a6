import { createContext, useContext } from 'react'

/** Navigation of the sign-in pages: by the router if it is loaded, without it when a sign-in page was opened first. */
export interface SignInNavigation {
  /** Shows the page of another address in the place of this one. */
  go: (address: string) => Promise<void>
  /** Moves the address to the other language; the page stays. */
  moveUrl: (address: string) => Promise<void>
}

export const SignInNavigationContext = createContext<SignInNavigation | null>(null)

export function useSignInNavigation(): SignInNavigation {
  const host = useContext(SignInNavigationContext)
  if (host === null) throw new Error('a sign-in page is rendered without its navigation')
  return host
}

/** A parameter of the address. */
export const parameterOf = (name: string): string | undefined => new URLSearchParams(window.location.search).get(name) ?? undefined
