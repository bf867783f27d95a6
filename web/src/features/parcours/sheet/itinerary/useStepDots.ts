import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import type { Step } from '@/api/model'
import { textOf } from '@/ui/format'
import type { StepDotProps } from '@/ui/map/layers'
import { useSheet } from '../context'
import { stepLabels } from '../step-order'

const dotKind = (kind: Step['kind'], label: string): StepDotProps['kind'] => (kind === 'departure' || kind === 'arrival' ? kind : label === '' ? 'waypoint' : 'stage')

/** The steps as they stand on a map. */
export function useStepDots(): StepDotProps[] {
  const { t } = useTranslation('trace')
  const { steps } = useSheet().parcours
  return useMemo(() => {
    const labels = stepLabels(steps)
    return steps.map(({ kind, position, title }, index) => {
      const text = labels[index] ?? ''
      return { position, kind: dotKind(kind, text), text, label: textOf(title, t(`kind.${kind}`)) }
    })
  }, [steps, t])
}
