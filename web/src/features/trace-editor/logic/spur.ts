import { distanceM } from '@/records/map/geo'
import { type MeasuredLine, positionAt } from '@/records/map/line'
import type { Position } from './geo'
import { type Revision, inOrder, lengthM, measured } from './revision'
import { replaceStretch } from './stretch'

/** There and back over the same way: where it leaves the line, and where it is back on it. */
export interface Spur {
  readonly from_m: number
  readonly to_m: number
  /** Where it turns back. */
  readonly tip: Position
}

/** Both ways of a spur lie this near to each other. */
const SAME_WAY_M = 8
/** A turn back over less than this is a step aside of a recording. */
const SHORTEST_M = 8
/** A longer way there and back is meant. */
const LONGEST_M = 1000
const STEP_M = 4
/** The cosine between two directions from which a line turns back. */
const TURNED = -0.85

const spursOf = new WeakMap<readonly Position[], readonly Spur[]>()

/** The short ways there and back of a line, in its order; each line is looked at once. */
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

/** How far back both ways lie together. */
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

/** Two tips nearer than this are one spur. */
const SAME_TIP_M = 25

/** The first spur that is not in the saved line and has no step: a correction left it. */
export function newSpur(revision: Revision, saved: Revision): Spur | null {
  const old = spurs(measured(saved))
  const stands = (spur: Spur) =>
    revision.steps.some((one) => one.kind !== 'waypoint' && one.at_m > spur.from_m + SAME_WAY_M && one.at_m < spur.to_m - SAME_WAY_M)
  return spurs(measured(revision)).find((spur) => !stands(spur) && !old.some(({ tip }) => distanceM(tip, spur.tip) < SAME_TIP_M)) ?? null
}

/** The line without a way there and back; the way-points on it go with it. */
export function withoutSpur(revision: Revision, { from_m, to_m }: Spur): Revision {
  const inside = (at: number) => at > from_m + 0.5 && at < to_m - 0.5
  const steps = revision.steps.filter((one) => one.kind !== 'waypoint' || !inside(one.at_m))
  const cut = replaceStretch({ ...revision, steps }, from_m, to_m, [])
  const length = lengthM(cut.legs)
  return { ...cut, steps: inOrder(cut.steps.map((one) => (one.at_m > length ? { ...one, at_m: length } : one))) }
}
