import type { StepKind } from '@/api/types'

interface Ordered {
  kind: StepKind
  at_m?: number | null | undefined
}

/** Why a step cannot move: the departure stays first and the arrival last, or the line has another order. */
export type MoveRefusal = 'end' | 'line'

/**
 * Why a step cannot move to a place. With a line the server orders steps by their place along it: only steps at one place, or without a
 * place, change places.
 */
export function moveRefusal(steps: readonly Ordered[], from: number, to: number, onLine: boolean): MoveRefusal | undefined {
  const [step, other] = [steps[from], steps[to]]
  if (step === undefined || other === undefined) return 'end'
  const end = (kind: StepKind) => kind === 'departure' || kind === 'arrival'
  if (end(step.kind) || end(other.kind)) return 'end'
  const passed = steps.slice(Math.min(from, to), Math.max(from, to) + 1)
  const free = ({ at_m }: Ordered) => at_m == null || step.at_m == null || at_m === step.at_m
  return onLine && !passed.every(free) ? 'line' : undefined
}
