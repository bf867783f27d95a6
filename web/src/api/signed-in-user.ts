/** The query key of the person signed in. */
export const meKey = ['me'] as const

let id: number | undefined
const listeners = new Set<() => void>()
/** Remember who is signed in, for the logs of the error page: it must not need the query cache. */
export function noteUser(userId: number | undefined): void {
  id = userId
  for (const listener of listeners) listener()
}
export const knownUserId = (): number | undefined => id
/** Calls the listener each time the user is noted. Returns what ends it. */
export function subscribeToUser(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

let isSignedOut = false
/** The user signs out: until the page is left, nothing more is stored on this device. */
export function noteSignedOut(): void {
  isSignedOut = true
}
export const hasSignedOut = (): boolean => isSignedOut

/** The key in `localStorage` of the person whose entries `/terrain` shows without network; removed when the person signs out. */
export const groundPersonKey = 'jalon.ground.person'
