import type { StepKind } from '@/api/model'

/** The number or letter on a step's marker, the same in the editor and on the sheet: D, A, or its rank among the others. */
export function stepLabels(steps: readonly { readonly kind: StepKind }[]): string[] {
  let rank = 0
  return steps.map(({ kind }) => {
    if (kind === 'departure') return 'D'
    if (kind === 'arrival') return 'A'
    rank += 1
    return String(rank)
  })
}
