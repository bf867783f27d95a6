import { lazy, Suspense } from 'react'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import type { ProfileChartProps } from './ProfileChart'

const ProfileChart = lazy(() => import('./ProfileChart'))

/** The elevation profile, fetched only when it is shown. */
export function ElevationProfile(props: ProfileChartProps) {
  return (
    <ErrorIsland>
      <Suspense fallback={<Skeleton height={props.height ?? 140} />}>
        <ProfileChart {...props} />
      </Suspense>
    </ErrorIsland>
  )
}
