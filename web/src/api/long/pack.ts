import type { Position } from '../types'

/** Lines shorter than this are not packed. */
const LONG_POINTS = 256

/** A value whose long lines are held apart, each as longitude, latitude, elevation (NaN when unknown), point after point. */
export interface Packed {
  readonly value: unknown
  readonly lines: readonly Float64Array<ArrayBuffer>[]
}

/** Replaces a packed line in the value. */
interface Mark {
  readonly $line: number
}

/** Takes the long lines out of a value. Two lines that are the same are one, so that they are measured and drawn once. */
export function pack(value: unknown): Packed {
  const lines: Float64Array<ArrayBuffer>[] = []
  const seen = new Map<readonly unknown[], number>()
  const take = (line: readonly Position[]): Mark => {
    const before = seen.get(line)
    if (before !== undefined) return { $line: before }
    const packed = packLine(line)
    const twin = lines.findIndex((other) => same(other, packed))
    const at = twin < 0 ? lines.push(packed) - 1 : twin
    seen.set(line, at)
    return { $line: at }
  }
  return { value: replace(value, (found) => (isLongLine(found) ? take(found) : undefined)), lines }
}

/** Puts the lines back in their places; what was one line is one array. */
export function unpack({ value, lines }: Packed): unknown {
  const made = new Map<number, Position[]>()
  return replace(value, (found) => {
    if (!isMark(found)) return undefined
    const line = made.get(found.$line) ?? unpackLine(lines[found.$line] ?? new Float64Array())
    made.set(found.$line, line)
    return line
  })
}

function replace(value: unknown, swap: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const swapped = swap(value)
  if (swapped !== undefined) return swapped
  if (Array.isArray(value)) return value.map((one: unknown) => replace(one, swap))
  return Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [key, replace(one, swap)]))
}

function isLongLine(value: object): value is readonly Position[] {
  if (!Array.isArray(value) || value.length < LONG_POINTS) return false
  const first: unknown = value[0]
  return Array.isArray(first) && typeof first[0] === 'number' && first.length >= 2 && first.length <= 3
}

const isMark = (value: object): value is Mark => '$line' in value

export function packLine(line: readonly Position[]): Float64Array<ArrayBuffer> {
  const out = new Float64Array(line.length * 3)
  for (let index = 0; index < line.length; index += 1) {
    const place = line[index]
    if (!place) continue
    out[index * 3] = place[0]
    out[index * 3 + 1] = place[1]
    out[index * 3 + 2] = place[2] ?? Number.NaN
  }
  return out
}

export function unpackLine(points: Float64Array): Position[] {
  const out: Position[] = []
  for (let index = 0; index + 2 < points.length; index += 3) {
    const lon = points[index] ?? 0
    const lat = points[index + 1] ?? 0
    const ele = points[index + 2] ?? Number.NaN
    out.push(Number.isNaN(ele) ? [lon, lat] : [lon, lat, ele])
  }
  return out
}

function same(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]))
}
