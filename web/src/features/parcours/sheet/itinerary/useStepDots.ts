import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import type { Step } from '@/api/types'
import { textOf } from '@/ui/format'
import type { StepDotProps } from '@/records/map/layers'
import { useSheet } from '../context'
import { stepLabels } from '@/records/parcours/step-labels'

const dotKind = (kind: Step['kind']): StepDotProps['kind'] =>
  kind === 'departure' || kind === 'arrival' || kind === 'waypoint' ? kind : 'stage'

/** The steps as dots of a map. */
export function useStepDots(): StepDotProps[] {
  const { t } = useTranslation('trace')
  const { steps } = useSheet().parcours
  return useMemo(() => {
    const labels = stepLabels(steps)
    return steps.map(({ kind, position, title }, index) => {
      // The disc of a way-point is too small for a number.
      const text = kind === 'waypoint' ? '' : (labels[index] ?? '')
      return { position, kind: dotKind(kind), text, label: textOf(title, t(`kind.${kind}`)) }
    })
  }, [steps, t])
}
