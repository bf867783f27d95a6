import { Marker, type MapRef } from '@vis.gl/react-maplibre'
import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useIsHighlighted, useHighlighted, type HighlightStore } from '@/records/list/highlight'
import type { FirstLine } from './FirstDrawing'
import { useFirstView } from './first-view'
import { frameOf } from './frame'
import { NEAREST_ZOOM } from './group-points'
import type { Bbox } from './geo'
import { MapCanvas } from './MapCanvas'
import { ASIDE_PX, marksOf, readBox, written, type ClusterMark, type Mark, type PinMark, type PointsOf } from './points'
import classes from './PointsMap.module.css'
import { useGradually } from './useGradually'

export interface PointsMapProps extends PointsOf {
  onOpen: (id: number) => void
  openLabel: (title: string) => string
  clusterLabel: (count: number) => string
  /** The zoom at which the map begins. */
  firstZoom: number
  /** Lines under the points, until the map has drawn them. */
  first?: readonly FirstLine[]
  /** Lines under the points. */
  children?: ReactNode
}

/** The largest zoom of the first view, for a list with a single record. */
const FRAME_ZOOM = 12

const keyOf = ({ key }: Mark) => key
/** Usual ones, the same array each time. */
const offsets: readonly [number, number][] = [0, 1, 2, 3].map((rank) => [rank * ASIDE_PX, 0])

/** The map beside a list of records: clusters at low zoom, points at high zoom; the highlighted one with its name. */
export default function PointsMap({
  label,
  points,
  clusters,
  bbox,
  onBbox,
  onView,
  onOpen,
  openLabel,
  clusterLabel,
  highlight,
  firstZoom,
  first,
  children,
}: PointsMapProps) {
  const { t } = useTranslation()
  const map = useRef<MapRef>(null)
  const firstView = useFirstView()
  const [start] = useState<Bbox>(() => readBox(bbox) ?? firstView)
  const [seenBox, setSeenBox] = useState(() => written(start))
  const [zoom, setZoom] = useState(firstZoom)
  const marks = useMemo(() => marksOf(points, clusters, zoom), [points, clusters, zoom])
  const shown = useGradually(marks, keyOf)
  // Only once: another page of the list, for example, does not move the map.
  const framed = useRef(bbox !== undefined)
  useEffect(() => {
    const box = readBox(seenBox)
    if (framed.current || map.current === null || box === null || points.length + clusters.length === 0) return
    framed.current = true
    const frame = frameOf(box, points, clusters)
    if (frame !== null) map.current.fitBounds(frame, { padding: 60, maxZoom: FRAME_ZOOM, duration: 0 })
  }, [points, clusters, seenBox])
  const seen = (box: Bbox, near: number, byHand: boolean) => {
    if (byHand) framed.current = true
    const words = written(box)
    setSeenBox(words)
    setZoom(near)
    onView({ bbox: words, zoom: Math.round(near) })
    if (byHand && bbox !== undefined) onBbox(words)
  }
  // The marks always get the same functions: a mark that did not change is not rendered again.
  const latest = useRef({ onOpen })
  useEffect(() => {
    latest.current = { onOpen }
  })
  const [acts] = useState<Acts>(() => ({
    open: (id) => latest.current.onOpen(id),
    nearer: (box) => map.current?.fitBounds(box, { padding: 60, maxZoom: NEAREST_ZOOM + 1 }),
  }))
  return (
    <>
      <MapCanvas
        label={label}
        bounds={start}
        {...(first && { first })}
        onReady={(ready) => {
          map.current = ready
          seen(boxOf(ready), ready.getZoom(), false)
        }}
        onMoveEnd={(box, byHand) => seen(box, map.current?.getZoom() ?? firstZoom, byHand)}
      >
        {children}
        {shown.map((mark) =>
          mark.kind === 'cluster' ? (
            <Cluster key={mark.key} mark={mark} label={clusterLabel(mark.count)} acts={acts} />
          ) : (
            <Pin key={mark.key} mark={mark} label={openLabel(mark.title)} highlight={highlight} acts={acts} />
          ),
        )}
      </MapCanvas>
      <div className={classes['follow']}>
        <Checkbox checked={bbox !== undefined} onChange={(on) => onBbox(on ? seenBox : undefined)} label={t('map.follow')} />
      </div>
      <Bright points={points} highlight={highlight} />
      <Fit bbox={bbox} map={map} />
    </>
  )
}

interface Acts {
  open: (id: number) => void
  nearer: (box: Bbox) => void
}

/** A cluster: the number of its records; pressing it zooms in. */
const Cluster = memo(function Cluster({
  mark: {
    at: [lon, lat],
    count,
    bbox,
  },
  label,
  acts,
}: {
  mark: ClusterMark
  label: string
  acts: Acts
}) {
  return (
    <Marker longitude={lon} latitude={lat} anchor="center">
      <button type="button" className={classes['cluster']} aria-label={label} onClick={() => acts.nearer(bbox)}>
        {format.number(count)}
      </button>
    </Marker>
  )
})

/** One record. */
const Pin = memo(function Pin({
  mark: {
    id,
    title,
    closed,
    at: [lon, lat],
    rank,
  },
  label,
  highlight,
  acts,
}: {
  mark: PinMark
  label: string
  highlight: HighlightStore
  acts: Acts
}) {
  const isHighlighted = useIsHighlighted(highlight, id)
  return (
    <Marker longitude={lon} latitude={lat} anchor="center" offset={offsets[rank] ?? [rank * ASIDE_PX, 0]}>
      <button
        type="button"
        className={classes['pin']}
        data-lit={isHighlighted || undefined}
        data-closed={closed || undefined}
        title={title}
        aria-label={label}
        onClick={() => acts.open(id)}
        onMouseEnter={() => highlight.set(id)}
        onMouseLeave={() => highlight.set(null)}
        onFocus={() => highlight.set(id)}
        onBlur={() => highlight.set(null)}
      />
    </Marker>
  )
})

/** The name of the highlighted record. */
function Bright({ points, highlight }: Pick<PointsOf, 'points' | 'highlight'>) {
  const id = useHighlighted(highlight)
  const bright = id === null ? undefined : points.find((point) => point.id === id)
  return bright === undefined ? null : <p className={classes['card']}>{bright.title}</p>
}

/** A filter taken away brings the first view back; the box that came with the address is already shown. */
function Fit({ bbox, map }: { bbox: string | undefined; map: { current: MapRef | null } }) {
  const first = useRef(true)
  const firstView = useFirstView()
  useEffect(() => {
    if (first.current) first.current = false
    else if (bbox === undefined) map.current?.fitBounds(firstView, { padding: 40, duration: 0 })
    // Only a change of the filter moves the map.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [bbox, map])
  return null
}

function boxOf(map: MapRef): Bbox {
  const box = map.getBounds()
  return [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()]
}
