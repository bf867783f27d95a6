import { keepAllDrafts } from '@/records/form/draft'
import { currentBuildId, newerBuild } from './build'

/** Errors of parts of the app that could not be fetched. */
const missing = new WeakSet<object>()
/** The build that was left by a reload of this tab. */
const leftBuild = 'jalon.left-build'

/** Notes each part that cannot be fetched, and keeps what was typed: the page that needs it is about to fail. */
export function watchMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    missing.add(event.payload)
    keepAllDrafts()
  })
}

/** Whether an error is a part of the app that could not be fetched. */
export const isMissingChunk = (error: unknown): boolean => typeof error === 'object' && error !== null && missing.has(error)

/**
 * Loads the page again where the server has a newer build by now, once for each build: while servers of two versions run, the page may come
 * from the older one again. False when it is not loaded again; without a network the page must stay.
 */
export async function reloadForNewerBuild(reload: () => void = () => window.location.reload()): Promise<boolean> {
  const build = currentBuildId()
  try {
    if (sessionStorage.getItem(leftBuild) === build || !(await newerBuild(build))) return false
    sessionStorage.setItem(leftBuild, build)
  } catch {
    // Without storage nothing says that it was reloaded before.
    return false
  }
  keepAllDrafts()
  reload()
  return true
}
