import { Layer, Marker, Source, useMap } from '@vis.gl/react-maplibre'
import type { FeatureCollection, Polygon } from 'geojson'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import type { AudioStop, Position } from '@/api/types'
import { useTranslation } from '@/i18n'
import { useField } from '@/records/form/form-context'
import { roomOf } from '@/records/map/camera'
import { useCursorEffect } from '@/records/map/cursor'
import { maplibre } from '@/records/map/engine'
import { bboxOf } from '@/records/map/geo'
import { TraceLine } from '@/records/map/layers'
import { measure, positionAt, type MeasuredLine } from '@/records/map/line'
import { MapCanvas } from '@/records/map/MapCanvas'
import { usePalette } from '@/records/map/usePalette'
import { nudged, rounded } from '@/records/shape/nudge'
import classes from './audio.module.css'
import { ringOf } from './walk'

interface Props {
  label: string
  line: readonly Position[]
  /** May be looked at, not changed. */
  still: boolean
  chosen: number
  choose: (index: number) => void
}

/** The trace, the zones of the stops, and the stops: dragged, or moved by their own arrow keys. */
export default function StopsMap({ label, line, still, chosen, choose }: Props) {
  const { t } = useTranslation('audioWalk')
  const palette = usePalette()
  const { value: stops, set } = useField<AudioStop[]>('stops')
  const lines = useMemo(() => [line], [line])
  const bounds = useMemo(() => bboxOf(line), [line])
  const zones = useMemo<FeatureCollection<Polygon>>(
    () => ({
      type: 'FeatureCollection',
      features: stops.map((stop, index) => ({
        type: 'Feature',
        properties: { chosen: index === chosen },
        geometry: { type: 'Polygon', coordinates: [ringOf(stop)] },
      })),
    }),
    [stops, chosen],
  )
  const move = (index: number, to: Position) => {
    const stop = stops[index]
    if (stop === undefined) return
    const [lon, lat] = [to[0] - stop.position[0], to[1] - stop.position[1]]
    // An area goes with its stop.
    set(stops.with(index, { ...stop, position: to, corners: stop.corners.map((corner) => rounded([corner[0] + lon, corner[1] + lat])) }))
  }
  const onKey = (index: number, stop: AudioStop) => (event: KeyboardEvent) => {
    const to = nudged(stop.position, event.key, event.shiftKey)
    if (to === undefined || still) return
    event.preventDefault()
    event.stopPropagation()
    move(index, to)
  }
  return (
    <MapCanvas label={label} bounds={bounds} padding={roomOf(false)}>
      <TraceLine id="trace" kind="planned" lines={lines} />
      <Source id="zones" type="geojson" data={zones}>
        <Layer
          id="zones-fill"
          type="fill"
          paint={{ 'fill-color': palette.primary, 'fill-opacity': ['case', ['get', 'chosen'], 0.38, 0.2] }}
        />
        <Layer id="zones-line" type="line" paint={{ 'line-color': palette.primary, 'line-width': ['case', ['get', 'chosen'], 3, 1.5] }} />
      </Source>
      {stops.map((stop, index) => (
        <Marker
          // A stop is known by its place in the walk.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          longitude={stop.position[0]}
          latitude={stop.position[1]}
          draggable={!still}
          style={{ zIndex: index === chosen ? 2 : 1 }}
          onDragEnd={({ lngLat }) => move(index, rounded([lngLat.lng, lngLat.lat]))}
        >
          <button
            type="button"
            className={classes['dot']}
            data-chosen={index === chosen || undefined}
            aria-label={t('map.stop', { place: index + 1, name: stop.title })}
            title={still ? undefined : t('map.move')}
            onClick={() => choose(index)}
            onKeyDown={onKey(index, stop)}
          >
            {index + 1}
          </button>
        </Marker>
      ))}
      <Walker line={measure(line)} />
    </MapCanvas>
  )
}

/** The walker of the simulation. */
function Walker({ line }: { line: MeasuredLine }) {
  const { current: map } = useMap()
  const marker = useRef<InstanceType<typeof maplibre.Marker> | null>(null)
  useEffect(() => {
    const element = document.createElement('span')
    element.className = classes['walker'] ?? ''
    element.setAttribute('aria-hidden', 'true')
    marker.current = new maplibre.Marker({ element }).setLngLat([0, 0])
    return () => void marker.current?.remove()
  }, [])
  useCursorEffect(({ atM }) => {
    const there = atM === null ? null : positionAt(line, atM)
    if (there === null || !map) marker.current?.remove()
    else marker.current?.setLngLat([there[0], there[1]]).addTo(map.getMap())
  })
  return null
}
