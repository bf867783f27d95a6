import { distanceM } from '@/records/map/geo'
import { type MeasuredLine, positionAt } from '@/records/map/line'
import type { Position } from './geo'
import { type Revision, inOrder, lengthM, measured } from './revision'
import { replaceStretch } from './stretch'

/** A spur: the line goes out and back on the same way. Metres along the line of its start and its end. */
export interface Spur {
  readonly from_m: number
  readonly to_m: number
  /** The turning point. */
  readonly tip: Position
}

/** The largest distance between the way out and the way back, metres. */
const SAME_WAY_M = 8
/** A shorter spur is noise of a recording, metres. */
const SHORTEST_M = 8
/** A longer spur is intended, metres. */
const LONGEST_M = 1000
const STEP_M = 4
/** A line turns back where the cosine between two successive directions is below this. */
const TURNED = -0.85

const spursOf = new WeakMap<readonly Position[], readonly Spur[]>()

/** The spurs of a line, in its order; computed once for each line. */
export function spurs(line: MeasuredLine): readonly Spur[] {
  const before = spursOf.get(line.points)
  if (before) return before
  const found: Spur[] = []
  line.points.forEach((tip, index) => {
    const at = line.atM[index] ?? 0
    if (at < (found.at(-1)?.to_m ?? 0) || !turnsBack(line, index)) return
    const depth = depthOf(line, at)
    if (depth >= SHORTEST_M && depth < LONGEST_M) found.push({ from_m: at - depth, to_m: at + depth, tip })
  })
  spursOf.set(line.points, found)
  return found
}

function turnsBack(line: MeasuredLine, index: number): boolean {
  const [a, here, b] = [line.points[index - 1], line.points[index], line.points[index + 1]]
  if (!a || !here || !b) return false
  const cosine = Math.cos((here[1] * Math.PI) / 180)
  const [ax, ay, bx, by] = [(here[0] - a[0]) * cosine, here[1] - a[1], (b[0] - here[0]) * cosine, b[1] - here[1]]
  const lengths = Math.hypot(ax, ay) * Math.hypot(bx, by)
  return lengths > 0 && (ax * bx + ay * by) / lengths < TURNED
}

/** The length of the spur whose turning point is `at`, metres. */
function depthOf(line: MeasuredLine, at: number): number {
  let depth = 0
  while (depth <= LONGEST_M) {
    const next = depth + STEP_M
    const [before, after] = [positionAt(line, at - next), positionAt(line, at + next)]
    if (at - next < 0 || at + next > line.lengthM || !before || !after || distanceM(before, after) > SAME_WAY_M) return depth
    depth = next
  }
  return depth
}

/** Two spurs whose turning points are nearer than this are the same, metres. */
const SAME_TIP_M = 25

/** The first spur that the saved line does not have and that contains no step: it is left over from a correction. */
export function newSpur(revision: Revision, saved: Revision): Spur | null {
  const old = spurs(measured(saved))
  const stands = (spur: Spur) =>
    revision.steps.some((one) => one.kind !== 'waypoint' && one.at_m > spur.from_m + SAME_WAY_M && one.at_m < spur.to_m - SAME_WAY_M)
  return spurs(measured(revision)).find((spur) => !stands(spur) && !old.some(({ tip }) => distanceM(tip, spur.tip) < SAME_TIP_M)) ?? null
}

/** The revision without a spur and without the way-points on it. */
export function withoutSpur(revision: Revision, { from_m, to_m }: Spur): Revision {
  const inside = (at: number) => at > from_m + 0.5 && at < to_m - 0.5
  const steps = revision.steps.filter((one) => one.kind !== 'waypoint' || !inside(one.at_m))
  const cut = replaceStretch({ ...revision, steps }, from_m, to_m, [])
  const length = lengthM(cut.legs)
  return { ...cut, steps: inOrder(cut.steps.map((one) => (one.at_m > length ? { ...one, at_m: length } : one))) }
}
