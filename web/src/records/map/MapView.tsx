import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { afterFirstPaint } from '@/ui/after-first-paint'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { roomOf } from './camera'
import { FirstDrawing, FirstGround } from './FirstDrawing'
import { bboxOf } from './geo'
import type { ParcoursMapProps } from './ParcoursMap'
import { firstLinesOf } from './parcours-lines'

const ParcoursMap = lazy(() => afterFirstPaint().then(() => import('./ParcoursMap')))

/** The map of one trace, fetched only when it is shown; its lines are drawn meanwhile, where they will be. */
export function MapView(props: ParcoursMapProps): ReactNode {
  return (
    <ErrorIsland>
      <Suspense fallback={<FirstView {...props} />}>
        <ParcoursMap {...props} />
      </Suspense>
    </ErrorIsland>
  )
}

function FirstView(props: ParcoursMapProps) {
  const { line, kind, stretches, still } = props
  const lines = useMemo(
    () => firstLinesOf({ line, ...(kind && { kind }), ...(stretches && { stretches }), ...(still && { still }) }),
    [line, kind, stretches, still],
  )
  return (
    <FirstGround>
      <FirstDrawing lines={lines} bounds={useMemo(() => bboxOf(line), [line])} padding={roomOf(still === true)} />
    </FirstGround>
  )
}
