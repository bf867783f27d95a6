/** The query key of the person signed in. */
export const meKey = ['me'] as const

let id: number | undefined
/** Remember who is signed in, for the logs of the error page: it must not need the query cache. */
export function noteUser(userId: number | undefined): void {
  id = userId
}
export const knownUserId = (): number | undefined => id

let isSignedOut = false
/** The user signs out: until the page is left, nothing more is stored on this device. */
export function noteSignedOut(): void {
  isSignedOut = true
}
export const hasSignedOut = (): boolean => isSignedOut

/** The key in `localStorage` of the person whose entries `/terrain` shows without network; removed when the person signs out. */
export const groundPersonKey = 'jalon.ground.person'
