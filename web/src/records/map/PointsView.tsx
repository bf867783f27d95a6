import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { afterFirstPaint } from '@/ui/after-first-paint'
import { format } from '@/ui/format'
import { cameraOf, PADDING_PX, type Camera } from './camera'
import { useFirstView } from './first-view'
import { FIRST_ZOOM, FirstDrawing, FirstGround, type FirstLine } from './FirstDrawing'
import { ASIDE_PX, marksOf, readBox, written, type PointsOf } from './points'
import type { PointsMapProps } from './PointsMap'
import classes from './PointsMap.module.css'

const PointsMap = lazy(() => afterFirstPaint().then(() => import('./PointsMap')))

export interface PointsViewProps extends Omit<PointsMapProps, 'first' | 'firstZoom'> {
  /** The lines under the points, until the map has drawn them. */
  lines?: readonly FirstLine[]
}

/**
 * The place of the map of a list. What it will show is known from its size before there is a map: the records in it are asked for at once, and
 * drawn. Where it has no place (a phone that shows the list), nothing is asked for.
 */
export function PointsView({ lines, ...props }: PointsViewProps) {
  const { bbox, onView } = props
  const place = useRef<HTMLDivElement>(null)
  const firstView = useFirstView()
  const [start] = useState(() => readBox(bbox) ?? firstView)
  const [camera, setCamera] = useState<Camera | null>(null)
  useLayoutEffect(() => {
    const box = place.current
    if (box === null || camera !== null) return undefined
    const measure = () => setCamera(cameraOf(start, { width: box.clientWidth, height: box.clientHeight }, PADDING_PX, FIRST_ZOOM))
    measure()
    if (typeof ResizeObserver === 'undefined') return undefined
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    return () => watch.disconnect()
  }, [start, camera])
  const first = useRef(onView)
  useEffect(() => {
    if (camera !== null) first.current({ bbox: written(camera.bbox), zoom: Math.round(camera.zoom) })
  }, [camera])
  return (
    <div ref={place} className={classes['place']}>
      {camera !== null && (
        <Suspense fallback={<FirstPoints {...props} lines={lines} camera={camera} start={start} />}>
          <PointsMap {...props} firstZoom={camera.zoom} {...(lines && { first: lines })} />
        </Suspense>
      )}
    </div>
  )
}

/** Lines and marks where the map will show them. */
function FirstPoints({
  points,
  clusters,
  lines = [],
  camera,
  start,
}: Pick<PointsOf, 'points' | 'clusters'> & {
  lines: readonly FirstLine[] | undefined
  camera: Camera
  start: Parameters<typeof cameraOf>[0]
}) {
  const marks = useMemo(() => marksOf(points, clusters, camera.zoom), [points, clusters, camera])
  return (
    <FirstGround>
      <FirstDrawing lines={lines} bounds={start} />
      <div aria-hidden="true" data-line={marks.length > 0 || undefined}>
        {marks.map((mark) => {
          const [x, y] = camera.project(mark.at)
          const style = { left: x + (mark.kind === 'pin' ? mark.rank * ASIDE_PX : 0), top: y }
          return mark.kind === 'cluster' ? (
            <span key={mark.key} className={`${classes['first']} ${classes['cluster']}`} style={style}>
              {format.number(mark.count)}
            </span>
          ) : (
            <span key={mark.key} className={`${classes['first']} ${classes['pin']}`} data-closed={mark.closed || undefined} style={style} />
          )
        })}
      </div>
    </FirstGround>
  )
}
