import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { MapView } from '@/records/map/MapView'
import { useSheet } from '../context'
import { useStepDots } from '../itinerary/useStepDots'
import { closedStretches } from '../closures'
import { costlyGaps, stretchesOf } from '../trace-view'
import classes from './aside.module.css'

/** A small map of the trace, with the decisions to take on it. */
export function MapCard() {
  const { t } = useTranslation('sheet')
  const { parcours, trace } = useSheet()
  const dots = useStepDots()
  const ends = useMemo(() => dots.filter(({ kind }) => kind === 'departure' || kind === 'arrival'), [dots])
  const { closures } = parcours
  const stretches = useMemo(() => [...stretchesOf(trace ?? null), ...closedStretches(closures ?? [], trace?.line ?? [])], [trace, closures])
  if (parcours.trace === null) return null
  const toDecide =
    parcours.trace.mode === 'source' || parcours.trace.reliability === null ? 0 : costlyGaps(parcours.trace.reliability).length
  return (
    <Card flush>
      <div className={classes['map']}>
        {trace ? (
          <MapView
            label={t('itinerary.map')}
            line={trace.line}
            kind={trace.mode === 'source' ? 'source' : 'planned'}
            stretches={stretches}
            steps={ends}
            still
          />
        ) : (
          <Skeleton height={150} radius={0} />
        )}
      </div>
      <p className={classes['mapFoot']}>
        {toDecide > 0 && (
          <span className={classes['decide']}>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
            {t('aside.decide', { count: toDecide })}
          </span>
        )}
        <Link to="/parcours/$id/edit-trace" params={{ id: String(parcours.id) }}>
          {t('aside.openTrace')}
        </Link>
      </p>
    </Card>
  )
}
