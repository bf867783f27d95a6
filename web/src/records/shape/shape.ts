import type { LngLat } from '@/api/types'
import { distanceM } from '@/records/map/geo'

/** The shape to draw: an open line, or a closed area. */
export type ShapeKind = 'line' | 'area'

/** The points with `point` inserted at index `at`. */
export const inserted = (points: readonly LngLat[], at: number, point: LngLat): LngLat[] => [
  ...points.slice(0, at),
  point,
  ...points.slice(at),
]

export const moved = (points: readonly LngLat[], index: number, to: LngLat): LngLat[] =>
  points.map((point, i) => (i === index ? to : point))

export const without = (points: readonly LngLat[], index: number): LngLat[] => points.filter((_, i) => i !== index)

/** The midpoint between a point and the next one; in an area, the first point follows the last. */
export function between(points: readonly LngLat[], index: number, kind: ShapeKind): LngLat | undefined {
  const a = points[index]
  const b = points[index + 1] ?? (kind === 'area' && points.length > 1 ? points[0] : undefined)
  return a === undefined || b === undefined ? undefined : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

/** The drawing as a ring or a line, closed where it is an area. */
export const outline = (points: readonly LngLat[], kind: ShapeKind): LngLat[] =>
  kind === 'area' && points.length > 2 && points[0] ? [...points, points[0]] : [...points]

/** The length of a line, or the perimeter of an area, in metres. */
export const lengthOf = (points: readonly LngLat[], kind: ShapeKind): number =>
  outline(points, kind).reduce((sum, point, i, all) => (i === 0 ? 0 : sum + distanceM(all[i - 1] ?? point, point)), 0)
