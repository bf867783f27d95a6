import {
  AttributionControl,
  GPUInitializationError,
  LngLatBounds,
  Map,
  Marker,
  NavigationControl,
  setWorkerUrl,
  type GeoJSONSource,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useRef, useState } from 'react'
import { payload } from '@/api/payload'
import type { LngLat } from '@/api/types'
import { currentLocale, useTranslation } from '@/i18n'
import type { Box } from '@/offline/tiles'
import { fetchStyle, plainGround, wholeAddress } from '@/records/map/base-style'
import { distanceM } from '@/records/map/geo'
import { measure, sliceLine } from '@/records/map/line'
import { mapWords } from '@/records/map/words'
import { circleAround, type Fix } from '../position/follow'
import type { DownloadParts } from '../downloads/types'
import { nothingDrawn, piecesAfter } from '../track/pieces'

// A worker from a blob is controlled by the page's service worker; one with another address would be controlled by none
// and ask the network for each tile.
const code = `import ${JSON.stringify(new URL(workerUrl, window.location.href).href)}`
setWorkerUrl(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))

export interface MapMark {
  kind: 'step' | 'poi' | 'report' | 'entry'
  position: LngLat
  text: string
}

export interface GroundMapProps {
  label: string
  /** Null on a map of no parcours. */
  parts: DownloadParts | null
  /** What the map shows at first, where there is no line. */
  area?: Box | null | undefined
  /** The lines of other parcours. */
  others?: readonly DownloadParts['line'][]
  marks: readonly MapMark[]
  fix: Fix | null
  /** The way that is being recorded. */
  track: readonly LngLat[]
  /** The map stays on the position. */
  follow: boolean
  onMoveByHand?: () => void
  /** Called with the centre of the map after each move. */
  onCentre?: (centre: LngLat) => void
  /** Called with the box that the map shows, at first and after each move. */
  onBox?: (box: Box) => void
}

const FOLLOW_ZOOM = 14
/** A followed position as near to the centre of the map does not move it; one that is farther than the other moves it over some frames. */
const NEAR_PX = 2
const FAR_PX = 100

const colour = (token: string) => getComputedStyle(document.documentElement).getPropertyValue(token).trim()

/** The map of a downloaded parcours. What it shows is also written under it. */
export default function GroundMap({
  label,
  parts,
  area,
  others,
  marks,
  fix,
  track,
  follow,
  onMoveByHand,
  onCentre,
  onBox,
}: GroundMapProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { t } = useTranslation('ground')
  const [map, setMap] = useState<Map | null>(null)
  const [hasWebgl, setHasWebgl] = useState(true)
  const here = useRef<Marker>(null)
  /** The position whose accuracy is drawn. */
  const ring = useRef<Fix>(null)
  /** What is drawn of the recorded way. */
  const walked = useRef(nothingDrawn)
  const latest = useRef({ onMoveByHand, onCentre, onBox })
  useEffect(() => {
    latest.current = { onMoveByHand, onCentre, onBox }
  })

  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const stop = new AbortController()
    let made: Map | undefined
    const scheme = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark' ? 'dark' : 'light'
    const { style_dark, style_light } = payload().map
    const draw = (style: StyleSpecification) => {
      if (stop.signal.aborted) return
      let drawn: Map
      try {
        drawn = drawMap(element, style, parts?.line ?? [], area ?? null, label)
      } catch (error) {
        if (!(error instanceof GPUInitializationError)) throw error
        setHasWebgl(false)
        return
      }
      made = drawn
      const showBox = () => {
        const box = drawn.getBounds()
        latest.current.onBox?.([box.getWest(), box.getSouth(), box.getEast(), box.getNorth()])
      }
      drawn.on('style.load', () => {
        drawLines(drawn, parts ?? { line: [], closures: [] })
        setMap(drawn)
        showBox()
      })
      drawn.on('dragstart', () => latest.current.onMoveByHand?.())
      drawn.on('moveend', () => {
        const { lng, lat } = drawn.getCenter()
        latest.current.onCentre?.([lng, lat])
        showBox()
      })
      // True once the map has rendered (used by the journeys and the screenshot script).
      drawn.on('idle', () => element.setAttribute('data-idle', ''))
    }
    fetchStyle(scheme === 'dark' ? style_dark : style_light).then(draw, () => draw(plainGround(scheme)))
    return () => {
      stop.abort()
      here.current = null
      ring.current = null
      walked.current = nothingDrawn
      setMap(null)
      made?.remove()
    }
  }, [parts, area, label])

  useEffect(() => {
    if (map === null) return
    // Places are many, and have no text: the map draws them.
    const places = marks.filter(({ kind }) => kind === 'poi').map(({ position }) => position)
    void map
      .getSource<GeoJSONSource>('places')
      ?.setData({ type: 'Feature', properties: {}, geometry: { type: 'MultiPoint', coordinates: places } })
    const others = marks.filter(({ kind }) => kind !== 'poi')
    const drawn = others.map(({ kind, position, text }) => {
      const element = document.createElement('span')
      element.className = 'mark'
      element.dataset['kind'] = kind
      element.textContent = text
      element.setAttribute('aria-hidden', 'true')
      return new Marker({ element }).setLngLat(position).addTo(map)
    })
    return () => drawn.forEach((marker) => marker.remove())
  }, [map, marks])

  useEffect(() => {
    const source = map?.getSource<GeoJSONSource>('others')
    const coordinates = (others ?? []).map((line) => line.map(([lon, lat]) => [lon, lat]))
    void source?.setData({ type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates } })
  }, [map, others])

  useEffect(() => {
    if (map === null) return
    const { isOther, first, finished, rest, drawn } = piecesAfter(walked.current, track)
    walked.current = drawn
    const pieces = finished.map((piece, index) => ({ ...lineOf(piece), id: first + index }))
    if (isOther || pieces.length > 0) void map.getSource<GeoJSONSource>('track-pieces')?.updateData({ removeAll: isOther, add: pieces })
    void map.getSource<GeoJSONSource>('track')?.setData(lineOf(rest))
  }, [map, track])

  useEffect(() => {
    if (map === null || fix === null) return
    // A map that is drawn again for less than a pixel costs energy for nothing.
    const pixel = metresPerPixel(map, fix)
    const drawn = ring.current
    if (drawn === null || distanceM(drawn.position, fix.position) > pixel || Math.abs(drawn.accuracyM - fix.accuracyM) > pixel) {
      ring.current = fix
      showAccuracy(map, fix)
    }
    here.current ??= new Marker({ element: arrow(), rotationAlignment: 'map' }).setLngLat(fix.position).addTo(map)
    here.current.getElement().dataset['heading'] = fix.heading === null ? 'unknown' : 'known'
    here.current.setRotation(fix.heading ?? 0).setLngLat(fix.position)
    if (!follow) return
    const offM = distanceM([map.getCenter().lng, map.getCenter().lat], fix.position)
    // Each frame of a movement is a map drawn: the next step of a walk is one frame.
    if (map.getZoom() < FOLLOW_ZOOM || offM > FAR_PX * pixel)
      map.easeTo({ center: fix.position, zoom: Math.max(map.getZoom(), FOLLOW_ZOOM), duration: 300 })
    else if (offM > NEAR_PX * pixel) map.jumpTo({ center: fix.position })
  }, [map, fix, follow])

  if (!hasWebgl) return <p className="map">{t('map.noWebgl')}</p>
  return <div ref={frame} className="map" />
}

function drawMap(container: HTMLElement, style: StyleSpecification, line: DownloadParts['line'], area: Box | null, label: string): Map {
  const bounds = line.reduce((all, [lon, lat]) => all.extend([lon, lat]), new LngLatBounds())
  if (bounds.isEmpty() && area !== null) bounds.extend([area[0], area[1]]).extend([area[2], area[3]])
  const words = mapWords(currentLocale())
  const map = new Map({
    container,
    style,
    ...(bounds.isEmpty() ? {} : { bounds, fitBoundsOptions: { padding: 32, animate: false } }),
    attributionControl: false,
    // Labels that fade in are a map drawn for 300 ms after each move.
    fadeDuration: 0,
    dragRotate: false,
    pitchWithRotate: false,
    // The section around the map has the label alone as its name; two regions must not have the same one.
    locale: { ...words, 'Map.Title': `${words['Map.Title'] ?? 'Map'}, ${label}` },
    transformRequest: wholeAddress,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new AttributionControl({ compact: true }), 'bottom-left')
  return map
}

const lineOf = (coordinates: LngLat[]) => ({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }) as const

function arrow(): HTMLElement {
  const element = document.createElement('span')
  element.className = 'here'
  element.setAttribute('aria-hidden', 'true')
  return element
}

function showAccuracy(map: Map, { position, accuracyM }: Fix): void {
  const coordinates = [circleAround(position, accuracyM)]
  void map.getSource<GeoJSONSource>('accuracy')?.setData({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } })
}

/** What a pixel of the map is on the ground. */
const metresPerPixel = (map: Map, { position: [, lat] }: Fix): number =>
  (EQUATOR_M * Math.cos((lat * Math.PI) / 180)) / (TILE_PX * 2 ** map.getZoom())
const EQUATOR_M = 40_075_017
const TILE_PX = 512

function drawLines(map: Map, { line, closures }: Pick<DownloadParts, 'line' | 'closures'>): void {
  const measured = measure(line)
  const closed = closures
    .filter(({ state }) => state === 'now')
    .flatMap(({ stretches }) => stretches.map(({ from_m, to_m }) => sliceLine(measured, from_m, to_m)))
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addSource('line', { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } } })
  map.addSource('closed', {
    type: 'geojson',
    data: { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: closed } },
  })
  map.addSource('others', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addSource('track-pieces', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addSource('track', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addSource('places', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addSource('accuracy', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addLayer({ id: 'others-case', type: 'line', source: 'others', layout, paint: { 'line-color': colour('--t-case'), 'line-width': 7 } })
  map.addLayer({ id: 'others', type: 'line', source: 'others', layout, paint: { 'line-color': colour('--t-planned'), 'line-width': 4 } })
  map.addLayer({ id: 'line-case', type: 'line', source: 'line', layout, paint: { 'line-color': colour('--t-case'), 'line-width': 10 } })
  map.addLayer({ id: 'line', type: 'line', source: 'line', layout, paint: { 'line-color': colour('--t-planned'), 'line-width': 6 } })
  map.addLayer({ id: 'closed-case', type: 'line', source: 'closed', paint: { 'line-color': colour('--t-case'), 'line-width': 10 } })
  map.addLayer({
    id: 'closed',
    type: 'line',
    source: 'closed',
    paint: { 'line-color': colour('--t-closed'), 'line-width': 7, 'line-dasharray': [1, 0.7] },
  })
  for (const id of ['track-pieces', 'track'])
    map.addLayer({ id, type: 'line', source: id, layout, paint: { 'line-color': colour('--info'), 'line-width': 4 } })
  map.addLayer({
    id: 'places',
    type: 'circle',
    source: 'places',
    // White within, so that no place looks like the person's own position.
    paint: { 'circle-color': '#fff', 'circle-radius': 5, 'circle-stroke-color': '#153c7d', 'circle-stroke-width': 3 },
  })
  map.addLayer({ id: 'accuracy', type: 'fill', source: 'accuracy', paint: { 'fill-color': colour('--info'), 'fill-opacity': 0.2 } })
}
