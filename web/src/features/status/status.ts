import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { ServerStatus } from '@/api/types'
import type { Tone } from '@/ui/badge/Badge'

/** How often the page is read again, in milliseconds: servers write how they are every 15 seconds. */
const AGAIN_MS = 5000

/** How the platform is. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: () => unwrap(api.GET('/api/v1/status')),
  staleTime: 0,
  refetchInterval: AGAIN_MS,
})

export const toneOf: Record<ServerStatus['region_state'], Tone> = {
  starting: 'neutral',
  up_to_date: 'ok',
  fetching: 'info',
  refused: 'danger',
}

/** Below this share of free disk, or these bytes, room should be made. */
const [LEAST_SHARE, LEAST_BYTES] = [0.05, 1024 ** 3]

/** Whether the disk of a server is nearly full. */
export const isNearlyFull = ({ disk_free: free, disk_total: total }: ServerStatus) =>
  free !== null && total !== null && (free < LEAST_BYTES || free < total * LEAST_SHARE)

/** A backup that is older than two days is late: one a night is usual. */
const LATE_MS = 2 * 86_400_000

/** Whether a backup is late at an instant. */
export const isLate = (made: string, now: string) => new Date(now).getTime() - new Date(made).getTime() > LATE_MS
