import type { Position } from '@/api/types'
import { type Bbox, bboxOf } from './geo'

/** Lines shorter than this are drawn unchanged: the map library simplifies them. */
export const LONG_POINTS = 10_000
/** What a screen can show of one line, whatever it is. */
const MAX_POINTS = 30_000
/** Metres in one degree of latitude. */
const DEGREE_M = 111_195

/** What of the ground is on the screen, and how fine. */
export interface View {
  readonly bbox: Bbox
  readonly mPerPixel: number
}

/**
 * A very long line as the screen shows it: on the screen no two points nearer than a pixel, beyond it only its course.
 * Looks at each point once, so that a map can ask again at each move.
 */
export function thin(line: readonly Position[], view: View | null): readonly Position[] {
  if (line.length < LONG_POINTS) return line
  const box = bboxOf(line)
  if (box === null) return line
  const courseM = ((box[3] - box[1] + box[2] - box[0]) * DEGREE_M) / 1500
  let fineM = Math.min(view?.mPerPixel ?? courseM, courseM)
  for (;;) {
    const kept = spaced(line, view?.bbox ?? box, fineM, courseM)
    if (kept.length <= MAX_POINTS) return kept
    fineM *= 1.6
  }
}

function spaced(line: readonly Position[], [west, south, east, north]: Bbox, fineM: number, courseM: number): Position[] {
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const square = (metres: number) => (metres / DEGREE_M) ** 2
  const [fine, course] = [square(fineM), square(Math.max(fineM, courseM))]
  const out: Position[] = []
  let [lon, lat] = [Infinity, Infinity]
  let last: Position | undefined
  for (const place of line) {
    const dx = (place[0] - lon) * squeeze
    const dy = place[1] - lat
    const inside = place[0] >= west && place[0] <= east && place[1] >= south && place[1] <= north
    last = place
    if (dx * dx + dy * dy < (inside ? fine : course)) continue
    out.push(place)
    ;[lon, lat] = place
  }
  if (last && out.at(-1) !== last) out.push(last)
  return out
}

/** Whether a line thinned for one view still does for another: about as near, and inside what was drawn finely. */
export function stillDoes(before: View | null, now: View): boolean {
  if (before === null) return false
  const ratio = now.mPerPixel / before.mPerPixel
  const [b, n] = [before.bbox, now.bbox]
  return ratio > 0.6 && ratio < 2 && n[0] >= b[0] && n[1] >= b[1] && n[2] <= b[2] && n[3] <= b[3]
}

/** As much ground again on each side: a small move then asks for nothing. */
export function widened({ bbox: [west, south, east, north], mPerPixel }: View): View {
  const [dx, dy] = [east - west, north - south]
  return { bbox: [west - dx, south - dy, east + dx, north + dy], mPerPixel }
}
