import type { Position } from './geo'
import { type LegKind, type Revision, emptyRevision, leg, lengthM, step } from './revision'
import { measure, positionAt } from '@/records/map/line'

/** Places on a parallel near Andorra, `every_m` apart, made for the tests. */
export function eastward(count: number, everyM = 100, start: Position = [1.5, 42.5]): Position[] {
  const degree = 111_195.08 * Math.cos((start[1] * Math.PI) / 180)
  return Array.from({ length: count }, (_, index): Position => [start[0] + (index * everyM) / degree, start[1]])
}

/** A revision of legs one after the other with D at the start, A at the end, and a favourite at each of `steps_m`. */
export function revisionOf(legs: readonly [LegKind, Position[]][], stepsM: readonly number[] = []): Revision {
  const made = legs.map(([kind, line]) => leg(kind, line))
  const line = made.flatMap((part, index) => (index === 0 ? [...part.line] : part.line.slice(1)))
  const whole = measure(line)
  const at = (metres: number) => positionAt(whole, metres) ?? [0, 0]
  return {
    ...emptyRevision('hiking'),
    legs: made,
    steps: [
      step('departure', at(0), 0),
      ...stepsM.map((metres) => step('favourite', at(metres), metres)),
      step('arrival', at(whole.lengthM), lengthM(made)),
    ],
  }
}
