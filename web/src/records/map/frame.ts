import type { LngLat } from '@/api/types'
import type { Bbox } from './geo'

/** Records that cover less than this share of the view, in both directions, are zoomed to. */
const SMALL = 0.25

/** The box around all records of a list; null if there are none. */
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

/** The first view of a map without a region (all of France): its records, if they cover a small part of it. Null if the view can stay. */
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
