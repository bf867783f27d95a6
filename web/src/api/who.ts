/** The query key of the person signed in. */
export const meKey = ['me'] as const

let id: number | undefined
/** Remember who is signed in, for the logs of the error page: it must not need the query cache. */
export function noteUser(userId: number | undefined): void {
  id = userId
}
export const knownUserId = (): number | undefined => id

let left = false
/** From now on nothing of the person is kept on this device: the page is about to go. */
export function noteSignedOut(): void {
  left = true
}
export const hasSignedOut = (): boolean => left

/** The key in `localStorage` of the person whose entries `/terrain` shows without network; removed when the person signs out. */
export const groundPersonKey = 'jalon.ground.person'
