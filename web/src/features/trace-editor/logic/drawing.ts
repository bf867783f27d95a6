import type { Position } from '@/api/model'
import { simplify } from '@/ui/map/line'

/** Lines shorter than this are drawn as they are: the map simplifies by zoom well enough. */
const LONG_POINTS = 20_000
/** What a long recording may differ by on the screen, metres: under a pixel up to zoom 16. */
const TOLERANCE_M = 1

const known = new WeakMap<readonly Position[], readonly Position[]>()

/** The line as the map draws it: a very long one loses the points that nobody could see. */
export function forDrawing(line: readonly Position[]): readonly Position[] {
  if (line.length < LONG_POINTS) return line
  const before = known.get(line)
  if (before) return before
  const light = simplify(line, TOLERANCE_M)
  known.set(line, light)
  return light
}
