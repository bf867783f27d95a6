import { Marker, type MapRef } from '@vis.gl/react-maplibre'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import type { Bbox } from '@/records/map/geo'
import { MapCanvas } from '@/records/map/MapCanvas'
import { writePoint } from '@/records/map/point'
import { CrossFrame } from '@/records/shape/CrossFrame'
import { nudged, rounded } from '@/records/shape/nudge'
import classes from './PointField.module.css'

const around = ([lon, lat]: LngLat): Bbox => [lon - 0.012, lat - 0.008, lon + 0.012, lat + 0.008]

/** The place on the map, by pressing, dragging or with the keyboard alone; without `onChange` only shown. */
export default function PointMap({ label, value, onChange }: { label: string; value: LngLat | null; onChange?: (place: LngLat) => void }) {
  const { t } = useTranslation()
  const map = useRef<MapRef>(null)
  const [start] = useState<Bbox | null>(() => (value === null ? null : around(value)))
  const key = value?.join()
  /** The place that was put by keyboard: it is said, until another one is there. */
  const [put, setPut] = useState<string>()
  useEffect(() => {
    if (value === null || map.current === null) return
    if (!map.current.getBounds().contains(value)) map.current.jumpTo({ center: value })
    // Only a new place moves the map.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key])
  const place = (at: LngLat) => {
    setPut(at.join())
    onChange?.(at)
  }
  const onKey = (event: KeyboardEvent) => {
    const to = value === null ? undefined : nudged(value, event.key, event.shiftKey)
    if (to === undefined || onChange === undefined) return
    event.preventDefault()
    event.stopPropagation()
    place(to)
  }
  return (
    <>
      <CrossFrame map={map} onPlace={onChange && place}>
        <MapCanvas
          label={label}
          bounds={start}
          cursor={onChange ? 'crosshair' : 'grab'}
          onReady={(ready) => {
            map.current = ready
          }}
          onClick={({ lngLat }) => onChange?.(rounded([lngLat.lng, lngLat.lat]))}
        >
          {value !== null && (
            <Marker
              longitude={value[0]}
              latitude={value[1]}
              anchor="bottom"
              draggable={onChange !== undefined}
              onDragEnd={({ lngLat }) => onChange?.(rounded([lngLat.lng, lngLat.lat]))}
            >
              {onChange ? (
                <button
                  type="button"
                  className={classes['pin']}
                  aria-label={t('form.pinMove')}
                  title={t('form.pinMove')}
                  onKeyDown={onKey}
                />
              ) : (
                <span className={classes['pin']} role="img" aria-label={label} />
              )}
            </Marker>
          )}
        </MapCanvas>
      </CrossFrame>
      {onChange !== undefined && (
        <p className="visually-hidden" role="status">
          {value !== null && key === put && t('form.pointPut', { point: writePoint(value) })}
        </p>
      )}
    </>
  )
}
