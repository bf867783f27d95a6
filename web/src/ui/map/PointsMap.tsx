import { Marker, type MapRef } from '@vis.gl/react-maplibre'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { LngLat } from '@/api/model'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { gather, NEAREST_ZOOM } from './gather'
import type { Bbox } from './geo'
import { MapCanvas } from './MapCanvas'
import classes from './PointsMap.module.css'

export interface View {
  bbox: string
  zoom: number
}

export interface PointsMapProps {
  label: string
  /** One that is closed has a pin of another shape. */
  points: readonly { id: number; title: string; at: LngLat; closed?: boolean }[]
  clusters: readonly { position: LngLat; count: number; bbox: Bbox }[]
  /** The box the list is narrowed to, while it follows the map. */
  bbox: string | undefined
  onBbox: (bbox: string | undefined) => void
  onView: (view: View) => void
  onOpen: (id: number) => void
  openLabel: (title: string) => string
  clusterLabel: (count: number) => string
  lit: number | null
  onLight: (id: number | null) => void
  /** Lines under the points. */
  children?: ReactNode
}

/** A cluster and the room around it: closer than this, two cannot be pressed apart. */
const REACH_PX = 42
/** How far apart pins of one place are put. */
const ASIDE_PX = 30

/** A record, or a cluster of them as the server counted it. */
interface Shown {
  at: LngLat
  id?: number
  title?: string
  closed?: boolean
  count?: number
  bbox?: Bbox
}

/** The first view of a map beside a list. */
export const firstView = (bbox: string | undefined): View => ({ bbox: bbox ?? written(payload().map.bbox), zoom: 9 })

const written = (box: Bbox) => box.map((degrees) => degrees.toFixed(4)).join(',')

/** The records of a list on the ground: clusters from afar, points from near; the one pointed at in full. */
export function PointsMap({ label, points, clusters, bbox, onBbox, onView, onOpen, openLabel, clusterLabel, lit, onLight, children }: PointsMapProps) {
  const { t } = useTranslation()
  const map = useRef<MapRef>(null)
  const [start] = useState<Bbox>(() => readBox(bbox) ?? payload().map.bbox)
  const [seenBox, setSeenBox] = useState(() => written(start))
  const [zoom, setZoom] = useState(9)
  const groups = useMemo(() => gather<Shown>([...clusters.map(({ position, ...rest }) => ({ at: position, ...rest })), ...points], zoom, REACH_PX), [points, clusters, zoom])
  const bright = points.find(({ id }) => id === lit)
  const seen = (box: Bbox, near: number, byHand: boolean) => {
    const words = written(box)
    setSeenBox(words)
    setZoom(near)
    onView({ bbox: words, zoom: Math.round(near) })
    if (byHand && bbox !== undefined) onBbox(words)
  }
  const nearer = (box: Bbox) => map.current?.fitBounds(box, { padding: 60, maxZoom: NEAREST_ZOOM + 1 })
  return (
    <>
      <MapCanvas
        label={label}
        bounds={start}
        onReady={(ready) => {
          map.current = ready
          seen(boxOf(ready), ready.getZoom(), false)
        }}
        onMoveEnd={(box, byHand) => seen(box, map.current?.getZoom() ?? 9, byHand)}
      >
        {children}
        {groups.map(({ points: together, position, bbox: box }) => {
          const count = together.reduce((sum, one) => sum + (one.count ?? 1), 0)
          if (count > together.length || (count > 1 && zoom < NEAREST_ZOOM)) return <Cluster key={position.join(' ')} at={position} count={count} label={clusterLabel(count)} onOpen={() => nearer(box)} />
          return together.map(({ id = 0, title = '', closed, at: [lon, lat] }, rank) => (
            <Marker key={id} longitude={lon} latitude={lat} anchor="center" offset={[rank * ASIDE_PX, 0]}>
              <button
                type="button"
                className={classes['pin']}
                data-lit={id === lit || undefined}
                data-closed={closed || undefined}
                title={title}
                aria-label={openLabel(title)}
                onClick={() => onOpen(id)}
                onMouseEnter={() => onLight(id)}
                onMouseLeave={() => onLight(null)}
                onFocus={() => onLight(id)}
                onBlur={() => onLight(null)}
              />
            </Marker>
          ))
        })}
      </MapCanvas>
      <div className={classes['follow']}>
        <Checkbox checked={bbox !== undefined} onChange={(on) => onBbox(on ? seenBox : undefined)} label={t('map.follow')} />
      </div>
      {bright && <p className={classes['card']}>{bright.title}</p>}
      <Fit bbox={bbox} map={map} />
    </>
  )
}

/** Several at one place: how many, and the way nearer. */
function Cluster({ at: [lon, lat], count, label, onOpen }: { at: LngLat; count: number; label: string; onOpen: () => void }) {
  return (
    <Marker longitude={lon} latitude={lat} anchor="center">
      <button type="button" className={classes['cluster']} aria-label={label} onClick={onOpen}>
        {format.number(count)}
      </button>
    </Marker>
  )
}

/** A filter taken away brings the whole region back; the box that came with the address is already shown. */
function Fit({ bbox, map }: { bbox: string | undefined; map: { current: MapRef | null } }) {
  const first = useRef(true)
  useEffect(() => {
    if (first.current) first.current = false
    else if (bbox === undefined) map.current?.fitBounds(payload().map.bbox, { padding: 40, duration: 0 })
  }, [bbox, map])
  return null
}

function readBox(text: string | undefined): Bbox | null {
  const numbers = (text ?? '').split(',').map(Number)
  const [west, south, east, north] = numbers
  if (numbers.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) return null
  return numbers.every(Number.isFinite) ? [west, south, east, north] : null
}

function boxOf(map: MapRef): Bbox {
  const box = map.getBounds()
  return [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()]
}
