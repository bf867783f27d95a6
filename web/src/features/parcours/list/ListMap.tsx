import { Marker, type MapRef } from '@vis.gl/react-maplibre'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import type { ParcoursMap } from '@/api/model'
import { payload } from '@/api/payload'
import { Checkbox } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import { TraceLine } from '@/ui/map/layers'
import type { Bbox } from '@/ui/map/line'
import { MapCanvas } from '@/ui/map/MapCanvas'
import classes from './list.module.css'
import { parcoursMapQuery } from './queries'

export interface ListMapProps {
  /** The list's filters, without the map's own. */
  filters: Record<string, string>
  /** The box the list is narrowed to, while it follows the map. */
  bbox: string | undefined
  onBbox: (bbox: string | undefined) => void
  lit: number | null
  onLight: (id: number | null) => void
}

const written = (box: Bbox) => box.map((degrees) => degrees.toFixed(4)).join(',')

/** The parcours of the list on the ground: clusters from afar, their lines from near, the one pointed at in full. */
export default function ListMap({ filters, bbox, onBbox, lit, onLight }: ListMapProps) {
  const { t } = useTranslation('parcours')
  const map = useRef<MapRef>(null)
  const [view, setView] = useState(() => ({ bbox: bbox ?? written(payload().map.bbox), zoom: 9 }))
  const { data } = useQuery(parcoursMapQuery(filters, view.bbox, view.zoom))
  const items = useMemo(() => data?.items ?? [], [data])
  const navigate = useNavigate()
  const [start] = useState<Bbox>(() => readBox(bbox) ?? payload().map.bbox)
  const bright = items.find(({ id }) => id === lit)

  // A row pointed at whose line is elsewhere is not chased: the map moves only by hand.
  const seen = (zoom: number, box: Bbox, byHand: boolean) => {
    setView({ bbox: written(box), zoom: Math.round(zoom) })
    if (byHand && bbox !== undefined) onBbox(written(box))
  }
  const open = (id: number) => void navigate({ to: '/parcours/$id', params: { id: String(id) } })
  const faint = useMemo(() => items.flatMap(({ id, line }) => (line === null || id === lit ? [] : [line])), [items, lit])
  return (
    <>
      <MapCanvas
        label={t('map.label')}
        bounds={start}
        onReady={(ready) => {
          map.current = ready
          seen(ready.getZoom(), boxOf(ready), false)
        }}
        onMoveEnd={(box, byHand) => seen(map.current?.getZoom() ?? view.zoom, box, byHand)}
      >
        <TraceLine id="others" kind="planned" lines={faint} faint />
        {bright?.line && <TraceLine id="bright" kind="planned" lines={[bright.line]} selected />}
        {items.map(({ id, title, start: [lon, lat] }) => (
          <Marker key={id} longitude={lon} latitude={lat} anchor="center">
            <button
              type="button"
              className={classes['pin']}
              data-lit={id === lit || undefined}
              title={textOf(title)}
              aria-label={t('map.open', { title: textOf(title) })}
              onClick={() => open(id)}
              onMouseEnter={() => onLight(id)}
              onMouseLeave={() => onLight(null)}
              onFocus={() => onLight(id)}
              onBlur={() => onLight(null)}
            />
          </Marker>
        ))}
        {(data?.clusters ?? []).map((cluster) => (
          <Cluster key={cluster.position.join()} cluster={cluster} onOpen={() => map.current?.fitBounds(cluster.bbox, { padding: 60, maxZoom: 15 })} />
        ))}
      </MapCanvas>
      <div className={classes['follow']}>
        <Checkbox checked={bbox !== undefined} onChange={(on) => onBbox(on ? view.bbox : undefined)} label={t('map.follow')} />
      </div>
      {bright && <p className={classes['mapCard']}>{textOf(bright.title)}</p>}
      <Fit bbox={bbox} map={map} />
    </>
  )
}

function Cluster({ cluster, onOpen }: { cluster: ParcoursMap['clusters'][number]; onOpen: () => void }) {
  const { t } = useTranslation('parcours')
  const [lon, lat] = cluster.position
  return (
    <Marker longitude={lon} latitude={lat} anchor="center">
      <button type="button" className={classes['cluster']} aria-label={t('map.cluster', { count: cluster.count })} onClick={onOpen}>
        {format.number(cluster.count)}
      </button>
    </Marker>
  )
}

/** A box that came with the address moves the map once. */
function Fit({ bbox, map }: { bbox: string | undefined; map: { current: MapRef | null } }) {
  const first = useRef(true)
  useEffect(() => {
    if (first.current) first.current = false
    else if (bbox === undefined) map.current?.fitBounds(payload().map.bbox, { padding: 40, duration: 0 })
  }, [bbox, map])
  return null
}

function readBox(text: string | undefined): Bbox | null {
  const [west, south, east, north, ...more] = (text ?? '').split(',').map(Number)
  const numbers = [west, south, east, north]
  if (more.length > 0 || numbers.some((degrees) => degrees === undefined || !Number.isFinite(degrees))) return null
  return [west ?? 0, south ?? 0, east ?? 0, north ?? 0]
}

function boxOf(map: MapRef): Bbox {
  const box = map.getBounds()
  return [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()]
}
