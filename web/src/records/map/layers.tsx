import { useComputedColorScheme } from '@mantine/core'
import { Layer, Marker, Source, useMap } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection, LineString } from 'geojson'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { maplibre } from './engine'
import type { LngLat, Position } from '@/api/types'
import { useCursorEffect, useCursorStore } from './cursor'
import { arrowImage } from './images'
import { nearest, positionAt, type MeasuredLine } from './line'
import { palettes } from './palette'
import { colourOf, HALO, strokes, type LineKind, type LineLook } from './strokes'
import { LONG_POINTS, stillDoes, thin, widened, type View } from './thin'
import classes from './layers.module.css'

export interface TraceLineProps {
  /** Unique on the map; layers are `<id>-<suffix>`, the one that answers to the mouse is `<id>-hit`. */
  id: string
  kind: LineKind
  /** One line or several of the same kind. */
  lines: readonly (readonly Position[] | readonly LngLat[])[]
  look?: LineLook
}

type Lines = TraceLineProps['lines']

/** Lines as this view shows them: very long ones are thinned, again when one looks nearer or elsewhere. */
function useDrawn(now: Lines): Lines {
  const { current: map } = useMap()
  const later = useDeferredValue(now)
  const long = now.some((line) => line.length >= LONG_POINTS)
  // Input has priority over drawing long lines.
  const lines = long ? later : now
  const [view, setView] = useState<View | null>(null)
  useEffect(() => {
    if (!map || !long) return undefined
    const look = () => {
      const seen = map.getBounds()
      const box = seen && ([seen.getWest(), seen.getSouth(), seen.getEast(), seen.getNorth()] satisfies View['bbox'])
      if (!box) return
      const now = { bbox: box, mPerPixel: (40_075_017 * Math.cos((((box[1] + box[3]) / 2) * Math.PI) / 180)) / (512 * 2 ** map.getZoom()) }
      setView((before) => (stillDoes(before, now) ? before : widened(now)))
    }
    look()
    map.on('moveend', look)
    return () => void map.off('moveend', look)
  }, [map, long])
  return useMemo(() => (long ? lines.map((line) => thin(line, view)) : lines), [lines, long, view])
}

/** A stretch of trace in its colour and pattern, with its casing. */
export function TraceLine({ id, kind, lines: whole, look = 'plain' }: TraceLineProps) {
  const palette = palettes[useComputedColorScheme('light')]
  const lines = useDrawn(whole)
  const data = useMemo<FeatureCollection<LineString>>(
    () => ({
      type: 'FeatureCollection',
      features: lines
        .filter((line) => line.length > 1)
        .map((line): Feature<LineString> => ({
          type: 'Feature',
          properties: {},
          geometry: { type: 'LineString', coordinates: line.map(([lon, lat]) => [lon, lat]) },
        })),
    }),
    [lines],
  )
  const arrowsAndHalo = look === 'selected' ? 'visible' : 'none'
  return (
    <Source id={id} type="geojson" data={data} tolerance={0.2}>
      <Layer
        id={`${id}-halo`}
        type="line"
        layout={{ 'line-cap': 'round', 'line-join': 'round', visibility: arrowsAndHalo }}
        paint={{ 'line-color': colourOf(kind, palette), ...HALO }}
      />
      {strokes(kind, palette, look).map(({ suffix, cap, paint }) => (
        <Layer key={suffix} id={`${id}-${suffix}`} type="line" layout={{ 'line-cap': cap, 'line-join': 'round' }} paint={paint} />
      ))}
      {kind === 'planned' && (
        <Layer
          id={`${id}-arrows`}
          type="symbol"
          layout={{
            'symbol-placement': 'line',
            'symbol-spacing': 80,
            'icon-image': arrowImage,
            'icon-allow-overlap': true,
            'icon-ignore-placement': true,
            visibility: arrowsAndHalo,
          }}
          paint={{ 'icon-color': palette.casing }}
        />
      )}
      <Layer
        id={`${id}-hit`}
        type="line"
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': '#000', 'line-opacity': 0, 'line-width': 20 }}
      />
    </Source>
  )
}

/** D, A, a stage's number, or a way-point's ring. */
export interface StepDotProps {
  position: Position | LngLat
  kind: 'departure' | 'arrival' | 'stage' | 'waypoint'
  label: string
  /** Shown in the disc: a number for a stage. */
  text?: string
}

/** A step's disc, not to be pressed: the editor has its own. */
export function StepDot({ position, kind, label, text }: StepDotProps) {
  return (
    // Where the departure and the arrival of a loop are at one place, the departure is drawn on top: the frame gives all markers 1.
    <Marker longitude={position[0]} latitude={position[1]} {...(kind === 'departure' ? { style: { zIndex: 2 } } : {})}>
      <span className={classes['dot']} data-kind={kind} role="img" aria-label={label}>
        {text ?? { departure: 'D', arrival: 'A', stage: '', waypoint: '' }[kind]}
      </span>
    </Marker>
  )
}

/** The shared cursor on the map: follows profile, ruban and list, and is moved by the mouse within 24 px of the line. */
export function CursorOnMap({ line }: { line: MeasuredLine }) {
  const { current: map } = useMap()
  const store = useCursorStore()
  const marker = useRef<CursorMarker | null>(null)

  useEffect(() => {
    if (!map) return undefined
    const element = document.createElement('span')
    element.className = classes['cursor'] ?? ''
    element.setAttribute('aria-hidden', 'true')
    const made = new maplibre.Marker({ element }).setLngLat([0, 0])
    marker.current = made
    const onMove = (event: { lngLat: { lng: number; lat: number }; point: { x: number; y: number } }) => {
      const near = nearest(line, [event.lngLat.lng, event.lngLat.lat])
      const there = near && map.project([near.position[0], near.position[1]])
      const close = there && Math.hypot(there.x - event.point.x, there.y - event.point.y) < 24
      store.set(close ? near.atM : null, 'map')
    }
    const onOut = () => store.set(null, 'map')
    map.on('mousemove', onMove)
    map.on('mouseout', onOut)
    return () => {
      map.off('mousemove', onMove)
      map.off('mouseout', onOut)
      made.remove()
      marker.current = null
    }
  }, [map, line, store])

  useCursorEffect(({ atM }) => {
    const there = atM === null ? null : positionAt(line, atM)
    if (there === null || !map) marker.current?.remove()
    else marker.current?.setLngLat([there[0], there[1]]).addTo(map.getMap())
  })
  return null
}

type CursorMarker = InstanceType<typeof maplibre.Marker>
