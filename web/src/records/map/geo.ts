import type { LngLat, Position } from '@/api/types'

/** The mean radius of the Earth (WGS 84, IUGG), the same as the server's. */
const EARTH_RADIUS_M = 6_371_008.8
const RAD = Math.PI / 180
/** Metres in one degree of latitude. */
export const DEGREE_M = EARTH_RADIUS_M * RAD

/** Great-circle distance, metres (haversine). */
export function distanceM(a: LngLat | Position, b: LngLat | Position): number {
  const dLat = (b[1] - a[1]) * RAD
  const dLon = (b[0] - a[0]) * RAD
  const s = Math.sin(dLat / 2) ** 2 + Math.cos(a[1] * RAD) * Math.cos(b[1] * RAD) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(s)))
}

/** The place at `share` (0 to 1) of the way from `a` to `b`; elevation too when both ends have one. */
export function between(a: Position, b: Position, share: number): Position {
  const lon = a[0] + (b[0] - a[0]) * share
  const lat = a[1] + (b[1] - a[1]) * share
  return a[2] === undefined || b[2] === undefined ? [lon, lat] : [lon, lat, a[2] + (b[2] - a[2]) * share]
}

export type Bbox = [west: number, south: number, east: number, north: number]

/** The box around some positions, or nothing for none. */
export function bboxOf(points: Iterable<Position | LngLat>): Bbox | null {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const place of points) {
    west = Math.min(west, place[0])
    south = Math.min(south, place[1])
    east = Math.max(east, place[0])
    north = Math.max(north, place[1])
  }
  return west > east ? null : [west, south, east, north]
}

/** Points that draw the same line within `toleranceM` (Douglas and Peucker, without recursion), for a picture of it. */
export function simplify(points: readonly Position[], toleranceM: number): Position[] {
  if (points.length < 3) return [...points]
  const keep = new Uint8Array(points.length)
  keep[0] = keep[points.length - 1] = 1
  const stack: [number, number][] = [[0, points.length - 1]]
  const origin = points[0] as Position
  const kx = DEGREE_M * Math.cos((origin[1] * Math.PI) / 180)
  const ky = DEGREE_M
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const [from, to] = span
    const a = points[from] as Position
    const b = points[to] as Position
    const dx = (b[0] - a[0]) * kx
    const dy = (b[1] - a[1]) * ky
    const length2 = dx * dx + dy * dy
    let worst = toleranceM * toleranceM
    let at = -1
    for (let i = from + 1; i < to; i++) {
      const p = points[i] as Position
      const px = (p[0] - a[0]) * kx
      const py = (p[1] - a[1]) * ky
      const t = length2 === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length2))
      const d2 = (px - t * dx) ** 2 + (py - t * dy) ** 2
      if (d2 > worst) [worst, at] = [d2, i]
    }
    if (at > 0) {
      keep[at] = 1
      stack.push([from, at], [at, to])
    }
  }
  return points.filter((_, i) => keep[i] === 1)
}
