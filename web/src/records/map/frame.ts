import type { LngLat } from '@/api/types'
import type { Bbox } from './geo'

/** What covers less than this of the view, each way, is looked at from near. */
const SMALL = 0.25

/** The ground of all that a list shows; null where there is nothing. */
function groundOf(points: readonly { at: LngLat }[], clusters: readonly { bbox: Bbox }[]): Bbox | null {
  const boxes: Bbox[] = [...clusters.map(({ bbox }) => bbox), ...points.map(({ at: [lon, lat] }): Bbox => [lon, lat, lon, lat])]
  if (boxes.length === 0) return null
  return boxes.reduce(([west, south, east, north], [w, s, e, n]) => [
    Math.min(west, w),
    Math.min(south, s),
    Math.max(east, e),
    Math.max(north, n),
  ])
}

/** Where a map opens that knows no region, such as the whole of France: on its records, where they take little of it. Null where the view is right already. */
export function frameOf(
  [west, south, east, north]: Bbox,
  points: readonly { at: LngLat }[],
  clusters: readonly { bbox: Bbox }[],
): Bbox | null {
  const ground = groundOf(points, clusters)
  if (ground === null) return null
  const [w, s, e, n] = ground
  return e - w < SMALL * (east - west) && n - s < SMALL * (north - south) ? ground : null
}
