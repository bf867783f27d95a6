import { Layer, Marker, Source, type MapLayerMouseEvent, type MapRef } from '@vis.gl/react-maplibre'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { bboxOf, type Bbox } from '@/records/map/geo'
import { MapCanvas } from '@/records/map/MapCanvas'
import { usePalette } from '@/records/map/usePalette'
import { CrossFrame, placeAtCross } from './CrossFrame'
import { nudged, rounded } from './nudge'
import { between, inserted, lengthOf, moved, outline, without, type ShapeKind } from './shape'
import classes from './ShapeEditor.module.css'
import { ShapeText } from './ShapeText'

export interface ShapeEditorProps {
  label: string
  kind: ShapeKind
  points: readonly LngLat[]
  /** Without it the shape is only looked at. */
  onChange?: (points: LngLat[]) => void
  bounds?: Bbox | null
  color?: string | null
  /** The layers under the drawing. */
  children?: ReactNode
}

/**
 * A line or an area drawn on the map, point by point: by pressing and dragging, or with the keyboard alone (the map's
 * arrows bring the place under the cross, Enter puts a point there; a point's own arrows move it, Delete takes it away).
 */
export function ShapeEditor({ label, kind, points, onChange, bounds = null, color = null, children }: ShapeEditorProps) {
  const { t } = useTranslation()
  const palette = usePalette()
  const map = useRef<MapRef>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const toFocus = useRef<number | null>(null)
  const ring = useMemo(() => outline(points, kind), [points, kind])
  const place = (n: number, total: number) => ({ place: n + 1, total })
  useEffect(() => {
    if (toFocus.current === null) return
    const marks = frame.current?.querySelectorAll<HTMLElement>('[data-point]')
    const mark = marks?.[Math.min(toFocus.current, marks.length - 1)] ?? frame.current?.querySelector<HTMLElement>('canvas')
    mark?.focus({ preventScroll: true })
    toFocus.current = null
  })

  const announce = (next: LngLat[], words: string) => {
    onChange?.(next)
    setAnnouncement(`${words} ${format.distance(lengthOf(next, kind))}`)
  }
  const put = (at: LngLat) =>
    announce(inserted(points, points.length, rounded(at)), t('shape.added', place(points.length, points.length + 1)))
  const putAtCross = () => {
    const place = placeAtCross(map)
    if (place !== undefined) put(place)
  }
  const drop = (index: number) => {
    announce(without(points, index), t('shape.removed', place(index, points.length)))
    toFocus.current = Math.max(0, index - 1)
  }
  const split = (index: number) => {
    const middle = between(points, index, kind)
    if (middle === undefined) return
    announce(inserted(points, index + 1, rounded(middle)), t('shape.added', place(index + 1, points.length + 1)))
    toFocus.current = index + 1
  }
  const type = (next: LngLat[]) => {
    announce(next, t('shape.read', { count: next.length }))
    const box = bboxOf(next)
    const seen = map.current?.getBounds()
    if (box && !next.every((point) => seen?.contains(point))) map.current?.fitBounds(box, { padding: 40, maxZoom: 16, duration: 0 })
  }
  const onPointKey = (index: number, point: LngLat) => (event: KeyboardEvent) => {
    const to = nudged(point, event.key, event.shiftKey)
    if (to !== undefined) {
      announce(moved(points, index, to), t('shape.moved', place(index, points.length)))
      if (!map.current?.getBounds().contains(to)) map.current?.jumpTo({ center: to })
    } else if (event.key === 'Delete' || event.key === 'Backspace') drop(index)
    else if (event.key === '+' || event.key === 'Insert') split(index)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onMapClick = ({ lngLat, originalEvent }: MapLayerMouseEvent) => {
    // A press on a point is no press on the ground under it.
    if (onChange !== undefined && !(originalEvent.target instanceof Element && originalEvent.target.closest('.maplibregl-marker')))
      put([lngLat.lng, lngLat.lat])
  }
  const stroke = color ?? palette.planned
  return (
    <div className={classes['editor']}>
      <div ref={frame} className={classes['frame']} data-drawing={onChange !== undefined || undefined}>
        <CrossFrame map={map} onPlace={onChange && put}>
          <MapCanvas
            label={label}
            bounds={bounds}
            cursor={onChange ? 'crosshair' : 'grab'}
            onReady={(ready) => void (map.current = ready)}
            onClick={onMapClick}
          >
            {children}
            {kind === 'area' && ring.length > 3 && (
              <Source
                id="shape-area"
                type="geojson"
                data={{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }}
              >
                <Layer id="shape-fill" type="fill" paint={{ 'fill-color': stroke, 'fill-opacity': 0.18 }} />
              </Source>
            )}
            <Source
              id="shape"
              type="geojson"
              data={{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: ring } }}
            >
              <Layer
                id="shape-case"
                type="line"
                layout={{ 'line-cap': 'round', 'line-join': 'round' }}
                paint={{ 'line-color': palette.casing, 'line-width': 8 }}
              />
              <Layer
                id="shape-line"
                type="line"
                layout={{ 'line-cap': 'round', 'line-join': 'round' }}
                paint={{ 'line-color': stroke, 'line-width': 4 }}
              />
            </Source>
            {onChange &&
              points.map((point, index) => (
                // A point is known by its place in the drawing.
                // oxlint-disable-next-line react/no-array-index-key
                <Marker
                  key={index}
                  longitude={point[0]}
                  latitude={point[1]}
                  anchor="center"
                  draggable
                  onDrag={({ lngLat }) => onChange(moved(points, index, rounded([lngLat.lng, lngLat.lat])))}
                >
                  <button
                    type="button"
                    data-point
                    className={classes['point']}
                    aria-label={t('shape.point', place(index, points.length))}
                    title={t('shape.pointHelp')}
                    onKeyDown={onPointKey(index, point)}
                  />
                </Marker>
              ))}
          </MapCanvas>
        </CrossFrame>
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {onChange && (
        <>
          <p className="small muted">{t(kind === 'area' ? 'shape.helpArea' : 'shape.helpLine')}</p>
          <div className="row wrap">
            <span className="small">
              {points.length === 0
                ? t('shape.none')
                : t('shape.count', { count: points.length, length: format.distance(lengthOf(points, kind)) })}
            </span>
            <Button size="small" onClick={putAtCross}>
              {t('shape.putHere')}
            </Button>
            <Button size="small" disabledReason={points.length === 0 ? t('shape.none') : undefined} onClick={() => drop(points.length - 1)}>
              {t('shape.undo')}
            </Button>
            <Button
              size="small"
              look="ghost"
              disabledReason={points.length === 0 ? t('shape.none') : undefined}
              onClick={() => announce([], t('shape.cleared'))}
            >
              {t('shape.clear')}
            </Button>
          </div>
          <ShapeText points={points} onChange={type} />
        </>
      )}
    </div>
  )
}
