import type { StepKind } from '@/api/model'

interface Ordered {
  kind: StepKind
}

/** What stands on the marker of each step: D, A, the number of a stage, nothing for the rest. */
export function stepLabels(steps: readonly Ordered[]): string[] {
  let stage = 0
  return steps.map(({ kind }) => {
    if (kind === 'departure') return 'D'
    if (kind === 'arrival') return 'A'
    if (kind === 'step' || kind === 'optional_step' || kind === 'night' || kind === 'nights' || kind === 'step_night') return String(++stage)
    return ''
  })
}

/** Where a step may go: the departure stays first and the arrival last. */
export function mayMove(steps: readonly Ordered[], from: number, to: number): boolean {
  const [step, other] = [steps[from], steps[to]]
  if (step === undefined || other === undefined) return false
  const end = (kind: StepKind) => kind === 'departure' || kind === 'arrival'
  return !end(step.kind) && !end(other.kind)
}
