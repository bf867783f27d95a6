import type { Text, TraceInspection } from '@/api/types'
import { distanceM } from '@/records/map/geo'
import { measure, nearest } from '@/records/map/line'
import type { Position } from './geo'
import { locateInOrder } from './locate'
import { type Revision, type SourceOf, type Step, inOrder, leg, step } from './revision'

/** A step nearer to a line than this is on it. */
export const ON_LINE_M = 50
/** A step nearer than this to another line is proposed a place on it. */
const NEAR_M = 500
/** A point of a file further than this from its line is not of this parcours. */
const WAYPOINT_WITHIN_M = 1000
const MAX_WAYPOINTS = 300

/** How a step is treated on another line. For a departure or an arrival, which are at the line's ends: whether it keeps its name. */
export type Fate = 'move' | 'beside' | 'remove' | 'keepName' | 'noName'

/** A step looked at beside another line. */
export interface Compared {
  readonly step: Step
  /** `end`: departure or arrival; `fits`: on the line; `moves`: near it; `lost`: far from it. */
  readonly how: 'end' | 'fits' | 'moves' | 'lost'
  /** How far it is from its place of the line. */
  readonly offset_m: number
  /** The possible treatments, the proposed one first; empty for a step that fits. */
  readonly fates: readonly Fate[]
}

/** The position of each step of a parcours in relation to another line. */
export function compared(steps: readonly Step[], line: readonly Position[]): Compared[] {
  const whole = measure(line)
  return steps.map((one): Compared => {
    const end = one.kind === 'departure' ? line[0] : one.kind === 'arrival' ? line.at(-1) : undefined
    if (end) {
      const offset_m = distanceM(end, one.position)
      const near = offset_m <= NEAR_M
      return { step: one, how: 'end', offset_m, fates: offset_m <= ON_LINE_M ? [] : near ? ['keepName', 'noName'] : ['noName', 'keepName'] }
    }
    const offset_m = nearest(whole, one.position)?.offsetM ?? Infinity
    if (offset_m <= ON_LINE_M) return { step: one, how: 'fits', offset_m, fates: [] }
    return offset_m <= NEAR_M
      ? { step: one, how: 'moves', offset_m, fates: ['move', 'beside', 'remove'] }
      : { step: one, how: 'lost', offset_m, fates: ['beside', 'move', 'remove'] }
  })
}

/** Another recording in the place of the line: the ends follow it, each other step as it was chosen. */
export function replaced(
  revision: Revision,
  source: SourceOf,
  line: readonly Position[],
  fates: ReadonlyMap<number, Fate>,
  waypoints: TraceInspection['waypoints'] = [],
): Revision {
  const legs = [leg('source', line)]
  const steps = revision.steps.length === 0 ? stepsOfFile(line, waypoints) : stepsOn(revision.steps, line, fates)
  return { ...revision, mode: 'planner', legs, steps, source, ignored: [], distance_typed_m: null, duration_typed_s: null }
}

function stepsOn(steps: readonly Step[], line: readonly Position[], fates: ReadonlyMap<number, Fate>): Step[] {
  const whole = measure(line)
  const first = line[0]
  const last = line.at(-1)
  const kept = compared(steps, line).flatMap(({ step: one, how, fates: [proposed] }) => {
    const fate = fates.get(one.key) ?? proposed
    if (fate === 'remove') return []
    const words: Pick<Step, 'title' | 'description'> = fate === 'noName' ? { title: {}, description: {} } : one
    return [
      {
        one: { ...one, title: words.title, description: words.description, distance_to_next_typed_m: null, duration_to_next_typed_s: null },
        onLine: how === 'fits' || fate === 'move',
      },
    ]
  })
  const found = locateInOrder(
    whole,
    kept.map(({ one }) => one.position),
  )
  return inOrder(
    kept.map(({ one, onLine }, index): Step => {
      if (one.kind === 'departure' && first) return { ...one, position: first, at_m: 0 }
      if (one.kind === 'arrival' && last) return { ...one, position: last, at_m: whole.lengthM }
      const at = found[index]
      return at ? { ...one, at_m: at.atM, position: onLine ? at.position : one.position } : one
    }),
  )
}

/** A departure, an arrival, and between them the file's own points, as the server makes them. */
function stepsOfFile(line: readonly Position[], waypoints: TraceInspection['waypoints']): Step[] {
  const whole = measure(line)
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) return []
  const between = waypoints.flatMap(({ position, name, description }) => {
    const near = nearest(whole, position)
    if (!near || near.offsetM > WAYPOINT_WITHIN_M) return []
    const words = (text: string | null): Text => (text ? { fr: text } : {})
    return [
      {
        ...step('waypoint', near.offsetM <= ON_LINE_M ? near.position : position, near.atM),
        title: words(name),
        description: words(description),
      },
    ]
  })
  return inOrder([step('departure', first, 0), ...between.slice(0, MAX_WAYPOINTS), step('arrival', last, whole.lengthM)])
}
