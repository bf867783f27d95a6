import type { Position } from '@/api/types'
import { between, DEGREE_M, distanceM } from './geo'

/** Segments in one box of the search index: big enough to be cheap to build, small enough to skip most of a long line. */
const BOX_SEGMENTS = 128

/** Closer than this to a point of the line, the point itself is meant: sums of many lengths differ by less. */
const VERTEX_M = 0.001

/** A line with the figures for walking along it and finding places on it, computed once. */
export interface MeasuredLine {
  readonly points: readonly Position[]
  /** Metres from the start, one for each point. */
  readonly atM: Float64Array
  readonly lengthM: number
  /** West, south, east, north of each run of `BOX_SEGMENTS` segments. */
  readonly boxes: Float64Array
}

/** A place found on a line. */
export interface Nearest {
  readonly atM: number
  /** How far the line is from what was looked for. */
  readonly offsetM: number
  readonly position: Position
}

const known = new WeakMap<readonly Position[], MeasuredLine>()

/** Measures a line; the same array is only ever measured once, so an edit pays for the legs it changed. */
export function measure(points: readonly Position[]): MeasuredLine {
  const before = known.get(points)
  if (before) return before
  const measured = build(points)
  known.set(points, measured)
  return measured
}

function build(points: readonly Position[]): MeasuredLine {
  const along = new Float64Array(points.length)
  const boxes = new Float64Array(Math.ceil(Math.max(0, points.length - 1) / BOX_SEGMENTS) * 4)
  for (let box = 0; box * 4 < boxes.length; box += 1) boxes.set([Infinity, Infinity, -Infinity, -Infinity], box * 4)
  let total = 0
  let last: Position | undefined
  points.forEach((place, index) => {
    if (last) {
      total += distanceM(last, place)
      grow(boxes, Math.floor((index - 1) / BOX_SEGMENTS) * 4, last, place)
    }
    along[index] = total
    last = place
  })
  return { points, atM: along, lengthM: total, boxes }
}

function grow(boxes: Float64Array, at: number, a: Position, b: Position): void {
  boxes[at] = Math.min(boxes[at] ?? Infinity, a[0], b[0])
  boxes[at + 1] = Math.min(boxes[at + 1] ?? Infinity, a[1], b[1])
  boxes[at + 2] = Math.max(boxes[at + 2] ?? -Infinity, a[0], b[0])
  boxes[at + 3] = Math.max(boxes[at + 3] ?? -Infinity, a[1], b[1])
}

/** The segment that holds `atM`: its first point's index. */
function segmentAt(line: MeasuredLine, atM: number): number {
  let low = 0
  let high = Math.max(0, line.atM.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((line.atM[middle] ?? 0) <= atM) low = middle
    else high = middle - 1
  }
  return low
}

/** The place `atM` metres from the start, held inside the line; null on an empty line. */
export function positionAt(line: MeasuredLine, atM: number): Position | null {
  const index = segmentAt(line, atM)
  const a = line.points[index]
  if (!a) return null
  const b = line.points[index + 1]
  if (!b) return a
  const start = line.atM[index] ?? 0
  const length = (line.atM[index + 1] ?? 0) - start
  if (atM - start < VERTEX_M) return a
  if (start + length - atM < VERTEX_M) return b
  return between(a, b, (atM - start) / length)
}

/** The part of the line from `fromM` to `toM`, its ends included. */
export function sliceLine(line: MeasuredLine, fromM: number, toM: number): Position[] {
  const from = Math.max(0, Math.min(fromM, toM))
  const to = Math.min(line.lengthM, Math.max(fromM, toM))
  const first = positionAt(line, from)
  const last = positionAt(line, to)
  if (!first || !last) return []
  const out: Position[] = [first]
  for (let index = segmentAt(line, from) + 1; index < line.points.length; index += 1) {
    const along = line.atM[index] ?? 0
    if (along >= to) break
    const place = line.points[index]
    if (place && along > from) out.push(place)
  }
  out.push(last)
  return out
}

/** Where a search may look. */
export interface Reach {
  readonly fromM?: number
  readonly toM?: number
  /** Nothing farther than this is of interest: lets most of a long line be skipped. */
  readonly withinM?: number
}

/** The place of the line nearest to `target`, within `reach`; null when there is none. Of two equally near, the first. */
export function nearest(line: MeasuredLine, target: Position, reach: Reach = {}): Nearest | null {
  const cosine = Math.cos((target[1] * Math.PI) / 180)
  const found = search(line, target, cosine, reach)
  if (found.index < 0) return onlyPoint(line, target, reach)
  const a = line.points[found.index]
  const b = line.points[found.index + 1]
  if (!a || !b) return null
  const start = line.atM[found.index] ?? 0
  const length = (line.atM[found.index + 1] ?? 0) - start
  return { atM: start + length * found.share, offsetM: Math.sqrt(found.best) * DEGREE_M, position: between(a, b, found.share) }
}

function onlyPoint(line: MeasuredLine, target: Position, reach: Reach): Nearest | null {
  const only = line.points.length === 1 ? line.points[0] : undefined
  if (!only) return null
  const off = distanceM(only, target)
  return off <= (reach.withinM ?? Infinity) ? { atM: 0, offsetM: off, position: only } : null
}

interface Found {
  index: number
  share: number
  /** Square of the distance, in degrees of latitude. */
  best: number
}

function search(line: MeasuredLine, target: Position, cosine: number, reach: Reach): Found {
  const from = reach.fromM ?? 0
  const to = reach.toM ?? line.lengthM
  const limit = reach.withinM === undefined ? Infinity : (reach.withinM / DEGREE_M) ** 2
  const found: Found = { index: -1, share: 0, best: limit }
  const last = line.points.length - 2
  const firstIndex = segmentAt(line, from)
  for (let box = Math.floor(firstIndex / BOX_SEGMENTS); box * 4 < line.boxes.length; box += 1) {
    const begin = Math.max(firstIndex, box * BOX_SEGMENTS)
    if ((line.atM[begin] ?? Infinity) > to) break
    if (boxDistance(line.boxes, box * 4, target, cosine) >= found.best) continue
    const end = Math.min(last, (box + 1) * BOX_SEGMENTS - 1)
    for (let index = begin; index <= end; index += 1) {
      if ((line.atM[index] ?? Infinity) > to) return found
      tryOne(line, index, target, cosine, from, to, found)
    }
  }
  return found
}

function boxDistance(boxes: Float64Array, at: number, target: Position, cosine: number): number {
  const dx = Math.max((boxes[at] ?? 0) - target[0], 0, target[0] - (boxes[at + 2] ?? 0)) * cosine
  const dy = Math.max((boxes[at + 1] ?? 0) - target[1], 0, target[1] - (boxes[at + 3] ?? 0))
  return dx * dx + dy * dy
}

function tryOne(line: MeasuredLine, index: number, target: Position, cosine: number, from: number, to: number, found: Found): void {
  const a = line.points[index]
  const b = line.points[index + 1]
  if (!a || !b) return
  const bx = (b[0] - a[0]) * cosine
  const by = b[1] - a[1]
  const px = (target[0] - a[0]) * cosine
  const py = target[1] - a[1]
  const square = bx * bx + by * by
  const start = line.atM[index] ?? 0
  const length = (line.atM[index + 1] ?? 0) - start
  const low = length > 0 ? Math.min(1, Math.max(0, (from - start) / length)) : 0
  const high = length > 0 ? Math.max(0, Math.min(1, (to - start) / length)) : 1
  const share = Math.min(high, Math.max(low, square > 0 ? (px * bx + py * by) / square : 0))
  const distance = (px - bx * share) ** 2 + (py - by * share) ** 2
  if (distance < found.best || (found.index < 0 && distance <= found.best)) {
    found.best = distance
    found.index = index
    found.share = share
  }
}
