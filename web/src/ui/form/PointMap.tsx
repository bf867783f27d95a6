import { Marker, type MapRef } from '@vis.gl/react-maplibre'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { LngLat } from '@/api/model'
import { useTranslation } from '@/i18n'
import { distanceM, type Bbox } from '@/ui/map/geo'
import { MapCanvas } from '@/ui/map/MapCanvas'
import classes from './PointField.module.css'

const around = ([lon, lat]: LngLat): Bbox => [lon - 0.012, lat - 0.008, lon + 0.012, lat + 0.008]
const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6

/** Ten metres, a hundred with Maj: as in the trace editor. */
function nudged([lon, lat]: LngLat, key: string, far: boolean): LngLat | undefined {
  const step = far ? 100 : 10
  const [dLon, dLat] = [step / (distanceM([lon, lat], [lon + 1, lat]) || 1), step / 111_320]
  const moves: Record<string, LngLat> = { ArrowUp: [lon, lat + dLat], ArrowDown: [lon, lat - dLat], ArrowLeft: [lon - dLon, lat], ArrowRight: [lon + dLon, lat] }
  const to = moves[key]
  return to === undefined ? undefined : [round(to[0]), round(to[1])]
}

/** The place on the map; without `onChange` only shown. */
export default function PointMap({ label, value, onChange }: { label: string; value: LngLat | null; onChange?: (place: LngLat) => void }) {
  const { t } = useTranslation()
  const map = useRef<MapRef>(null)
  const [start] = useState<Bbox | null>(() => (value === null ? null : around(value)))
  const key = value?.join()
  useEffect(() => {
    if (value === null || map.current === null) return
    if (!map.current.getBounds().contains(value)) map.current.jumpTo({ center: value })
    // Only a new place moves the map.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key])
  const onKey = (event: KeyboardEvent) => {
    const to = value === null ? undefined : nudged(value, event.key, event.shiftKey)
    if (to === undefined || onChange === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onChange(to)
  }
  return (
    <MapCanvas
      label={label}
      bounds={start}
      cursor={onChange ? 'crosshair' : 'grab'}
      onReady={(ready) => {
        map.current = ready
      }}
      onClick={({ lngLat }) => onChange?.([round(lngLat.lng), round(lngLat.lat)])}
    >
      {value !== null && (
        <Marker longitude={value[0]} latitude={value[1]} anchor="bottom" draggable={onChange !== undefined} onDragEnd={({ lngLat }) => onChange?.([round(lngLat.lng), round(lngLat.lat)])}>
          {onChange ? (
            <button type="button" className={classes['pin']} aria-label={t('form.pinMove')} title={t('form.pinMove')} onKeyDown={onKey} />
          ) : (
            <span className={classes['pin']} role="img" aria-label={label} />
          )}
        </Marker>
      )}
    </MapCanvas>
  )
}
