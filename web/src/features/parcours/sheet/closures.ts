import type { ClosureOnParcours, ClosureWithDetours, Position } from '@/api/types'
import { measure, sliceLine } from '@/records/map/line'
import type { LineKind } from '@/records/map/strokes'

/** The stretches of a line that are shut today. */
export function closedStretches(
  closures: readonly ClosureOnParcours[],
  line: readonly Position[],
): { kind: LineKind; line: readonly Position[] }[] {
  const holding = closures.filter(({ state }) => state === 'now')
  if (holding.length === 0) return []
  const measured = measure(line)
  return holding.flatMap(({ stretches }) =>
    stretches.map(({ from_m, to_m }) => ({ kind: 'closed' as const, line: sliceLine(measured, from_m, to_m) })),
  )
}

/** The detours around closures, of today and of later. */
export const detourLines = (closures: readonly ClosureWithDetours[]): { kind: LineKind; line: readonly Position[] }[] =>
  closures.flatMap(({ detours }) => detours.flatMap((detour) => (detour === null ? [] : [{ kind: 'detour' as const, line: detour.line }])))
