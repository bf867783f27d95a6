import type { StepKind } from '@/api/types'

/**
 * The number or letter on a step's marker: D, A, or its rank among the others. The server has the same rule for pages and
 * roadbooks (`step_labels`); both are tested with `step-labels.cases.json`.
 */
export function stepLabels(steps: readonly { readonly kind: StepKind }[]): string[] {
  let rank = 0
  return steps.map(({ kind }) => {
    if (kind === 'departure') return 'D'
    if (kind === 'arrival') return 'A'
    rank += 1
    return String(rank)
  })
}
