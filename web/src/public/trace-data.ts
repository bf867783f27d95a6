/** `[lon, lat]` or `[lon, lat, ele]`. */
export type PagePosition = number[]

export interface PageStep {
  kind: string
  /** On its marker, as in the editor: D, A or its rank. */
  label: string
  title: string
  /** Metres from the start; null when the step is on no line. */
  at_m: number | null
  position: [number, number]
}

/** A point of interest on the way. */
export interface PagePoi {
  title: string
  at: [number, number]
}

export interface PageTrace {
  line: PagePosition[]
  /** Metres from the start, one for each position, on the scale of the length that the page shows. */
  along: number[]
  steps: PageStep[]
  pois: PagePoi[]
  /** The lines of the stretches closed today. */
  closed: PagePosition[][]
  /** The ways round these. */
  detours: PagePosition[][]
}

/** Where a reader points on the map: `detail` is `[lon, lat]`. */
export const PLACE_EVENT = 'jalon:place'

const EARTH_RADIUS_M = 6_371_008.8

/** Reads what the server wrote into the page; null where there is no line. Its shape is ours: it is the same response. */
export function readTrace(): PageTrace | null {
  const line: PagePosition[] = JSON.parse(blockOf('trace'))
  if (line.length < 2) return null
  const steps: PageStep[] = JSON.parse(blockOf('steps'))
  const pois: PagePoi[] = JSON.parse(blockOf('pois'))
  const closed: PagePosition[][] = JSON.parse(blockOf('closed'))
  const detours: PagePosition[][] = JSON.parse(blockOf('detours'))
  const lengthM = Number(document.getElementById('trace')?.dataset['lengthM'] ?? 0)
  return { line, along: cumulative(line, lengthM), steps, pois, closed, detours }
}

/** The list in a block of data; an empty one where there is no such block. */
function blockOf(id: string): string {
  return document.getElementById(id)?.textContent || '[]'
}

/** Metres from the start at each position. Scaled so that the last one is `lengthM`, where it is above 0: the sheet's length may be typed. */
function cumulative(line: PagePosition[], lengthM: number): number[] {
  const along = [0]
  for (let i = 1; i < line.length; i++) {
    along.push((along[i - 1] ?? 0) + distance(line[i - 1] ?? [], line[i] ?? []))
  }
  const measuredM = along.at(-1) ?? 0
  const scale = lengthM > 0 && measuredM > 0 ? lengthM / measuredM : 1
  return along.map((atM) => atM * scale)
}

/** Great-circle distance in metres (haversine). */
export function distance(a: PagePosition, b: PagePosition): number {
  const rad = Math.PI / 180
  const [lonA = 0, latA = 0] = a
  const [lonB = 0, latB = 0] = b
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const h = half((latB - latA) * rad) + Math.cos(latA * rad) * Math.cos(latB * rad) * half((lonB - lonA) * rad)
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** The position at a distance from the start. */
export function positionAt(trace: PageTrace, at: number): PagePosition {
  const { line, along } = trace
  let low = 0
  let high = along.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((along[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  const from = line[low] ?? []
  const to = line[high] ?? from
  const span = (along[high] ?? 0) - (along[low] ?? 0)
  const share = span > 0 ? Math.min(1, Math.max(0, (at - (along[low] ?? 0)) / span)) : 0
  return from.map((value, axis) => value + ((to[axis] ?? value) - value) * share)
}
