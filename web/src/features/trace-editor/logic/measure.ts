import { DEGREE_M, between, distanceM, type Position } from './geo'

/** Segments in one box of the search index: big enough to be cheap to build, small enough to skip most of a long line. */
const BOX_SEGMENTS = 128

/** Closer than this to a point of the line, the point itself is meant: sums of many lengths differ by less. */
const VERTEX_M = 0.001

/** A line with what is needed to walk along it and to find places on it, worked out once. */
export interface Measured {
  readonly line: readonly Position[]
  /** Metres from the start, one for each point. */
  readonly along_m: Float64Array
  readonly length_m: number
  /** West, south, east, north of each run of `BOX_SEGMENTS` segments. */
  readonly boxes: Float64Array
}

/** A place found on a line. */
export interface OnLine {
  readonly at_m: number
  /** How far the line is from what was looked for. */
  readonly off_m: number
  readonly position: Position
}

const known = new WeakMap<readonly Position[], Measured>()

/** Measures a line; the same array is only ever measured once, so an edit pays for the legs it changed. */
export function measure(line: readonly Position[]): Measured {
  const before = known.get(line)
  if (before) return before
  const measured = build(line)
  known.set(line, measured)
  return measured
}

function build(line: readonly Position[]): Measured {
  const along = new Float64Array(line.length)
  const boxes = new Float64Array(Math.ceil(Math.max(0, line.length - 1) / BOX_SEGMENTS) * 4)
  for (let box = 0; box * 4 < boxes.length; box += 1) boxes.set([Infinity, Infinity, -Infinity, -Infinity], box * 4)
  let total = 0
  let last: Position | undefined
  line.forEach((place, index) => {
    if (last) {
      total += distanceM(last, place)
      grow(boxes, Math.floor((index - 1) / BOX_SEGMENTS) * 4, last, place)
    }
    along[index] = total
    last = place
  })
  return { line, along_m: along, length_m: total, boxes }
}

function grow(boxes: Float64Array, at: number, a: Position, b: Position): void {
  boxes[at] = Math.min(boxes[at] ?? Infinity, a[0], b[0])
  boxes[at + 1] = Math.min(boxes[at + 1] ?? Infinity, a[1], b[1])
  boxes[at + 2] = Math.max(boxes[at + 2] ?? -Infinity, a[0], b[0])
  boxes[at + 3] = Math.max(boxes[at + 3] ?? -Infinity, a[1], b[1])
}

/** The segment that holds `at_m`: its first point's index. */
export function segmentAt(measured: Measured, atM: number): number {
  let low = 0
  let high = Math.max(0, measured.along_m.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((measured.along_m[middle] ?? 0) <= atM) low = middle
    else high = middle - 1
  }
  return low
}

/** The place `at_m` metres from the start, held inside the line; null on an empty line. */
export function pointAt(measured: Measured, atM: number): Position | null {
  const index = segmentAt(measured, atM)
  const a = measured.line[index]
  if (!a) return null
  const b = measured.line[index + 1]
  if (!b) return a
  const start = measured.along_m[index] ?? 0
  const length = (measured.along_m[index + 1] ?? 0) - start
  if (atM - start < VERTEX_M) return a
  if (start + length - atM < VERTEX_M) return b
  return between(a, b, (atM - start) / length)
}

/** The part of the line from `from_m` to `to_m`, its ends included. */
export function slice(measured: Measured, fromM: number, toM: number): Position[] {
  const from = Math.max(0, Math.min(fromM, toM))
  const to = Math.min(measured.length_m, Math.max(fromM, toM))
  const first = pointAt(measured, from)
  const last = pointAt(measured, to)
  if (!first || !last) return []
  const out: Position[] = [first]
  for (let index = segmentAt(measured, from) + 1; index < measured.line.length; index += 1) {
    const along = measured.along_m[index] ?? 0
    if (along >= to) break
    const place = measured.line[index]
    if (place && along > from) out.push(place)
  }
  out.push(last)
  return out
}

/** Where a search may look. */
export interface Reach {
  readonly from_m?: number
  readonly to_m?: number
  /** Nothing farther than this is of interest: lets most of a long line be skipped. */
  readonly within_m?: number
}

/** The place of the line nearest to `target`, inside the reach; null when there is none. Of two as near, the first. */
export function nearest(measured: Measured, target: Position, reach: Reach = {}): OnLine | null {
  const cosine = Math.cos((target[1] * Math.PI) / 180)
  const found = search(measured, target, cosine, reach)
  if (found.index < 0) return onlyPoint(measured, target, reach)
  const a = measured.line[found.index]
  const b = measured.line[found.index + 1]
  if (!a || !b) return null
  const start = measured.along_m[found.index] ?? 0
  const length = (measured.along_m[found.index + 1] ?? 0) - start
  return { at_m: start + length * found.share, off_m: Math.sqrt(found.best) * DEGREE_M, position: between(a, b, found.share) }
}

function onlyPoint(measured: Measured, target: Position, reach: Reach): OnLine | null {
  const only = measured.line.length === 1 ? measured.line[0] : undefined
  if (!only) return null
  const off = distanceM(only, target)
  return off <= (reach.within_m ?? Infinity) ? { at_m: 0, off_m: off, position: only } : null
}

interface Found {
  index: number
  share: number
  /** Square of the distance, in degrees of latitude. */
  best: number
}

function search(measured: Measured, target: Position, cosine: number, reach: Reach): Found {
  const from = reach.from_m ?? 0
  const to = reach.to_m ?? measured.length_m
  const limit = reach.within_m === undefined ? Infinity : (reach.within_m / DEGREE_M) ** 2
  const found: Found = { index: -1, share: 0, best: limit }
  const last = measured.line.length - 2
  const firstIndex = segmentAt(measured, from)
  for (let box = Math.floor(firstIndex / BOX_SEGMENTS); box * 4 < measured.boxes.length; box += 1) {
    const begin = Math.max(firstIndex, box * BOX_SEGMENTS)
    if ((measured.along_m[begin] ?? Infinity) > to) break
    if (boxDistance(measured.boxes, box * 4, target, cosine) >= found.best) continue
    const end = Math.min(last, (box + 1) * BOX_SEGMENTS - 1)
    for (let index = begin; index <= end; index += 1) {
      if ((measured.along_m[index] ?? Infinity) > to) return found
      tryOne(measured, index, target, cosine, from, to, found)
    }
  }
  return found
}

function boxDistance(boxes: Float64Array, at: number, target: Position, cosine: number): number {
  const dx = Math.max((boxes[at] ?? 0) - target[0], 0, target[0] - (boxes[at + 2] ?? 0)) * cosine
  const dy = Math.max((boxes[at + 1] ?? 0) - target[1], 0, target[1] - (boxes[at + 3] ?? 0))
  return dx * dx + dy * dy
}

function tryOne(measured: Measured, index: number, target: Position, cosine: number, from: number, to: number, found: Found): void {
  const a = measured.line[index]
  const b = measured.line[index + 1]
  if (!a || !b) return
  const bx = (b[0] - a[0]) * cosine
  const by = b[1] - a[1]
  const px = (target[0] - a[0]) * cosine
  const py = target[1] - a[1]
  const square = bx * bx + by * by
  const start = measured.along_m[index] ?? 0
  const length = (measured.along_m[index + 1] ?? 0) - start
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
