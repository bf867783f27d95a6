import { useEffect, useState, useSyncExternalStore } from 'react'
import { payload } from '@/api/payload'
import { knownUserId, subscribeToUser } from '@/api/signed-in-user'
import { ErrorView } from '@/features/errors/ErrorView'
import { currentLocale } from '@/i18n'
import { withLocale } from '@/i18n/locale'
import { isMissingChunk, reloadForNewerBuild } from './missing-chunk'
import { previousUrl } from './visited'

const trackerUrl = () => {
  try {
    return payload().issue_tracker_url || undefined
  } catch {
    // The page must show even when what failed is the configuration itself.
    return undefined
  }
}

/** Goes back to the previous page, or to the dashboard if there is none. */
function goBack(): void {
  if (window.history.length <= 1) window.location.assign(withLocale('/', currentLocale()))
  else window.history.back()
}

/** The error page with details for support. If the error comes from an old build, it loads the new one instead. Works outside the router too. */
export function ErrorPage({ error }: { error: unknown }) {
  const [isReloading, setIsReloading] = useState(() => isMissingChunk(error))
  useEffect(() => {
    if (isReloading) void reloadForNewerBuild().then(setIsReloading)
    // Once for each error page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [])
  if (isReloading) return null
  return <ErrorDetails error={error} />
}

/** A path with its letters as people write them; as it is where it cannot be read so. */
function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function ErrorDetails({ error }: { error: unknown }) {
  const { pathname, search, hash, href } = window.location
  const back = encodeURIComponent(`${pathname}${search}${hash}`)
  // An unknown address is shown before the session is there, which was asked for at the start.
  const userId = useSyncExternalStore(subscribeToUser, knownUserId)
  return (
    <ErrorView
      error={error}
      path={readable(pathname)}
      previousUrl={previousUrl()}
      currentUrl={href}
      userId={userId}
      trackerUrl={trackerUrl()}
      homeHref={withLocale('/', currentLocale())}
      loginHref={`${withLocale('/login', currentLocale())}?backurl=${back}`}
      goBack={goBack}
      unreachable={isMissingChunk(error)}
      retry={() => window.location.reload()}
    />
  )
}
