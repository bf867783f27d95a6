import type { ClosureOnParcours, Position } from '@/api/model'
import { measure, sliceLine } from '@/ui/map/line'
import { momentOf, today } from '@/ui/closure/moment'
import type { LineKind } from '@/ui/map/layers'

/** The stretches of a line that are shut today. */
export function closedStretches(closures: readonly ClosureOnParcours[], line: readonly Position[], day = today()): { kind: LineKind; line: readonly Position[] }[] {
  const holding = closures.filter((closure) => momentOf(closure, day) === 'now')
  if (holding.length === 0) return []
  const measured = measure(line)
  return holding.flatMap(({ stretches }) => stretches.map(({ from_m, to_m }) => ({ kind: 'closed' as const, line: sliceLine(measured, from_m, to_m) })))
}
