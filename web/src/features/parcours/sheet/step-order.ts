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

/** A copy with one step at another place. */
export function moved<T>(steps: readonly T[], from: number, to: number): T[] {
  const step = steps[from]
  if (step === undefined || to < 0 || to >= steps.length || from === to) return [...steps]
  const rest = steps.filter((_, index) => index !== from)
  return [...rest.slice(0, to), step, ...rest.slice(to)]
}

/** Where a step may go: the departure stays first and the arrival last. */
export function mayMove(steps: readonly Ordered[], from: number, to: number): boolean {
  const [step, other] = [steps[from], steps[to]]
  if (step === undefined || other === undefined) return false
  const end = (kind: StepKind) => kind === 'departure' || kind === 'arrival'
  return !end(step.kind) && !end(other.kind)
}
