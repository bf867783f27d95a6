import { createContext, useContext } from 'react'

/** Where the pages of the sign-in lead: by the router where it is there, without it where one of them was opened first. */
export interface SignInHost {
  /** Shows the page of another address in the place of this one. */
  go: (address: string) => Promise<void>
  /** Moves the address to the other language; the page stays. */
  moveUrl: (address: string) => Promise<void>
}

export const SignInHostContext = createContext<SignInHost | null>(null)

export function useSignInHost(): SignInHost {
  const host = useContext(SignInHostContext)
  if (host === null) throw new Error('a page of the sign-in needs its host')
  return host
}

/** A parameter of the address. */
export const parameterOf = (name: string): string | undefined => new URLSearchParams(window.location.search).get(name) ?? undefined
