import { lazy, Suspense, type ReactNode } from 'react'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import type { ParcoursMapProps } from './ParcoursMap'

const ParcoursMap = lazy(() => import('./ParcoursMap'))

/** The map of one trace, fetched only when it is shown; its place is kept meanwhile. */
export function MapView(props: ParcoursMapProps): ReactNode {
  return (
    <ErrorIsland>
      <Suspense fallback={<Skeleton height="100%" />}>
        <ParcoursMap {...props} />
      </Suspense>
    </ErrorIsland>
  )
}
