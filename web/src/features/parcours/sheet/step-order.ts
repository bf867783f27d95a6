import type { StepKind } from '@/api/types'

interface Ordered {
  kind: StepKind
}

/** The places that a step may move to: the departure stays first and the arrival last. */
export function mayMove(steps: readonly Ordered[], from: number, to: number): boolean {
  const [step, other] = [steps[from], steps[to]]
  if (step === undefined || other === undefined) return false
  const end = (kind: StepKind) => kind === 'departure' || kind === 'arrival'
  return !end(step.kind) && !end(other.kind)
}
