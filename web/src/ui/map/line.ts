import type { LngLat, Position } from '@/api/model'

/** Mean Earth radius of WGS 84, metres (IUGG). */
const radiusM = 6_371_008.8
const rad = Math.PI / 180

/** Great-circle distance in metres (haversine). */
export function distanceM(a: Position, b: Position): number {
  const dLat = (b[1] - a[1]) * rad
  const dLon = (b[0] - a[0]) * rad
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a[1] * rad) * Math.cos(b[1] * rad) * Math.sin(dLon / 2) ** 2
  return 2 * radiusM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** A line with the distance from its start to each of its points, metres. */
export interface MeasuredLine {
  points: readonly Position[]
  atM: Float64Array
  lengthM: number
}

/** Measure once; everything below then costs a binary search at most. */
export function measure(points: readonly Position[]): MeasuredLine {
  const atM = new Float64Array(points.length)
  let sum = 0
  for (let i = 1; i < points.length; i++) {
    sum += distanceM(points[i - 1] as Position, points[i] as Position)
    atM[i] = sum
  }
  return { points, atM, lengthM: sum }
}

/** Index of the segment that holds a distance: `atM[i] <= m < atM[i + 1]`, kept inside the line. */
function segmentAt({ atM }: MeasuredLine, m: number): number {
  let low = 0
  let high = atM.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((atM[middle] ?? 0) <= m) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

const mix = (a: number, b: number, t: number) => a + (b - a) * t

/** The position (and elevation where both ends have one) at a distance from the start. */
export function positionAt(line: MeasuredLine, m: number): Position | null {
  const { points, atM } = line
  if (points.length === 0) return null
  const i = segmentAt(line, m)
  const a = points[i]
  const b = points[i + 1] ?? a
  if (a === undefined || b === undefined) return null
  const from = atM[i] ?? 0
  const span = (atM[i + 1] ?? from) - from
  const t = span <= 0 ? 0 : Math.min(1, Math.max(0, (m - from) / span))
  const [lon, lat] = [mix(a[0], b[0], t), mix(a[1], b[1], t)]
  return a[2] !== undefined && b[2] !== undefined ? [lon, lat, mix(a[2], b[2], t)] : [lon, lat]
}

export interface Nearest {
  atM: number
  offsetM: number
  position: LngLat
  /** The segment, from its first point. */
  index: number
}

/** The place of a line nearest to a point (flat projection around the point: right to a centimetre within a few km). */
export function nearest(line: MeasuredLine, to: LngLat | Position): Nearest | null {
  const { points, atM } = line
  const first = points[0]
  if (first === undefined) return null
  const kx = radiusM * rad * Math.cos(to[1] * rad)
  const ky = radiusM * rad
  let best = { d2: Infinity, index: 0, t: 0 }
  let ax = (first[0] - to[0]) * kx
  let ay = (first[1] - to[1]) * ky
  if (points.length === 1) best = { d2: ax * ax + ay * ay, index: 0, t: 0 }
  for (let i = 1; i < points.length; i++) {
    const point = points[i] as Position
    const bx = (point[0] - to[0]) * kx
    const by = (point[1] - to[1]) * ky
    const dx = bx - ax
    const dy = by - ay
    const length2 = dx * dx + dy * dy
    const t = length2 === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2))
    const x = ax + t * dx
    const y = ay + t * dy
    const d2 = x * x + y * y
    if (d2 < best.d2) best = { d2, index: i - 1, t }
    ax = bx
    ay = by
  }
  const a = points[best.index] as Position
  const b = points[best.index + 1] ?? a
  const from = atM[best.index] ?? 0
  return {
    atM: mix(from, atM[best.index + 1] ?? from, best.t),
    offsetM: Math.sqrt(best.d2),
    position: [mix(a[0], b[0], best.t), mix(a[1], b[1], best.t)],
    index: best.index,
  }
}

/** The part of a line between two distances, ends included. */
export function sliceLine(line: MeasuredLine, fromM: number, toM: number): Position[] {
  const [low, high] = fromM <= toM ? [fromM, toM] : [toM, fromM]
  const start = positionAt(line, low)
  const end = positionAt(line, high)
  if (start === null || end === null) return []
  const inside = line.points.filter((_, i) => (line.atM[i] ?? 0) > low && (line.atM[i] ?? 0) < high)
  return [start, ...inside, end]
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
  const kx = radiusM * rad * Math.cos(origin[1] * rad)
  const ky = radiusM * rad
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
