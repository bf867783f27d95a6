import { useTranslation } from '@/i18n'
import type { ProblemError } from '@/api/problem'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import type { Step } from './logic/revision'

/** A number of kilometres without its unit: « 4,3 ». */
export const bareKm = (metres: number, digits = 1): string => format.number(metres / 1000, digits)

/** Decimals that distinguish the two ends of a stretch. */
export const kmDigits = (lengthM: number): number => (lengthM < 200 ? 2 : 1)

/** A number of points with one decimal: « 4,3 ». */
export const points = (value: number): string => format.number(value, 1)

/** How a step is called: its name, else what it is. */
export function useStepName(): (step: Step, label: string) => string {
  const { t } = useTranslation('trace')
  return (step, label) => {
    const own = textOf(step.title, '')
    if (own !== '') return own
    if (step.kind === 'departure' || step.kind === 'arrival') return t(`steps.unnamed.${step.kind}`)
    return t('steps.unnamed.other', { kind: t(`kind.${step.kind}`), label })
  }
}

/** A refusal in words; the planner's own have the sentences of the specification. */
export function useReason(): (problem: ProblemError) => string {
  const { t } = useTranslation('trace')
  return (problem) => {
    if (problem.code === 'planner/too-far') return t('refused.tooFar')
    if (problem.code === 'planner/no-way') return t('refused.noWay')
    return problemText(problem)
  }
}
