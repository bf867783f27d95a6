import { lazy } from 'react'
import { Skeleton } from '@/ui/feedback/Skeleton'
import classes from './tabs.module.css'

/* Panels that are loaded when they are first opened. */
export const GuidancePanel = lazy(() => import('./guidance/GuidancePanel'))
export const GroundFigure = lazy(() => import('./ways/GroundFigure'))
export const WaysPanel = lazy(() => import('./ways/WaysPanel'))

/** The placeholder of a panel that is loading. */
export function PanelSkeleton() {
  return (
    <div className={classes['wait']} aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </div>
  )
}
