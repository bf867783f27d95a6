import {
  AttributionControl,
  LngLatBounds,
  Map,
  Marker,
  NavigationControl,
  type PaddingOptions,
  ScaleControl,
  setWorkerUrl,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { wordsOf } from './map-words'
import { printMap, type PrintedMark } from './print'
import { PLACE_EVENT } from './trace-data'
import { CURSOR_EVENT } from './profile'
import type { PagePosition, PageTrace } from './trace-data'

// A worker from a blob is controlled by the page's service worker; one with another address would be controlled by none
// and ask the network for each tile.
const code = `import ${JSON.stringify(new URL(workerUrl, location.href).href)}`
setWorkerUrl(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))

/** The shape of the page (`public_page::drawing`): its frame, and the margin in it, in units of its own. */
const SHAPE = { width: 720, height: 420, margin: 24 }

/** The room around the line with which the live map shows it at the place of the shape. */
function roomOf({ clientWidth: width, clientHeight: height }: HTMLElement): PaddingOptions {
  const scale = Math.min(width / SHAPE.width, height / SHAPE.height)
  const [x, y] = [
    (width - (SHAPE.width - 2 * SHAPE.margin) * scale) / 2,
    (height - (SHAPE.height - 2 * SHAPE.margin) * scale) / 2,
  ]
  return { left: x, right: x, top: y, bottom: y }
}

/**
 * Puts a live map under the drawn shape, which is taken away once the map has drawn its own line at the same place; the shape stays where the
 * map cannot be drawn.
 */
export function drawMap(element: HTMLElement, trace: PageTrace, style: StyleSpecification | string): void {
  const canvas = document.createElement('div')
  canvas.className = 'live-map'
  element.append(canvas)
  const bounds = [trace.line, ...trace.detours].flat().reduce((all, position) => all.extend(lngLat(position)), new LngLatBounds())
  const door = doorOf(element)
  if (door !== null) bounds.extend(door)
  let map: Map
  try {
    map = new Map({
      container: canvas,
      style,
      // Its own style is read by tests.
      validateStyle: typeof style === 'string',
      bounds,
      fitBoundsOptions: { padding: door === null ? roomOf(element) : 40, animate: false },
      attributionControl: false,
      cooperativeGestures: true,
      locale: wordsOf(element.dataset['label'] ?? '', document.documentElement.lang === 'fr'),
    })
  } catch {
    canvas.remove()
    return
  }
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl(), 'bottom-left')
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right')
  // Under the steps.
  drawPois(map, trace)
  drawSteps(map, trace)
  if (door !== null) {
    const here = dot('door-dot')
    here.title = element.dataset['fromName'] ?? ''
    new Marker({ element: here }).setLngLat(door).addTo(map)
  }
  const live = () => element.classList.add('live')
  // With its squares, not after them.
  map.once('style.load', () => {
    drawLine(map, trace)
    drawClosed(map, trace)
    drawDetours(map, trace)
    map.once('idle', live)
    // The map is elsewhere than the shape.
    if (door === null) map.once('movestart', live)
    else live()
  })
  map.on('load', () => {
    const marks = marksOf(trace)
    window.addEventListener('beforeprint', () => printMap(map, element, marks, element.dataset['label'] ?? ''))
  })

  map.on('click', ({ lngLat: { lng, lat } }) => window.dispatchEvent(new CustomEvent(PLACE_EVENT, { detail: [lng, lat] })))

  // True once the map has rendered (used by the screenshot script).
  map.on('idle', () => element.setAttribute('data-idle', ''))

  const cursor = new Marker({ element: dot('cursor-dot') })
  window.addEventListener(CURSOR_EVENT, (event) => {
    if (event instanceof CustomEvent && Array.isArray(event.detail)) cursor.setLngLat(lngLat(event.detail)).addTo(map)
  })
}

function drawLine(map: Map, trace: PageTrace): void {
  map.addSource('trace', {
    type: 'geojson',
    data: { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: trace.line } },
  })
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addLayer({ id: 'trace-casing', type: 'line', source: 'trace', layout, paint: { 'line-color': '#fff', 'line-width': 9 } })
  map.addLayer({ id: 'trace', type: 'line', source: 'trace', layout, paint: { 'line-color': lineColor(), 'line-width': 5 } })
}

/** The colour of the line as the style of the page says it: a white-label may have its own. */
const lineColor = (): string => getComputedStyle(document.documentElement).getPropertyValue('--trace').trim() || '#2438c9'

/** Struck out in white and red, so that it differs from the line also without colours. */
function drawClosed(map: Map, trace: PageTrace): void {
  if (trace.closed.length === 0) return
  map.addSource('closed', { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: trace.closed } } })
  map.addLayer({ id: 'closed-casing', type: 'line', source: 'closed', paint: { 'line-color': '#fff', 'line-width': 9 } })
  map.addLayer({ id: 'closed', type: 'line', source: 'closed', paint: { 'line-color': '#9b1c1c', 'line-width': 6, 'line-dasharray': [1, 0.7] } })
}

/** In dots of the line's colour. */
function drawDetours(map: Map, trace: PageTrace): void {
  if (trace.detours.length === 0) return
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addSource('detours', { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: trace.detours } } })
  map.addLayer({ id: 'detours-casing', type: 'line', source: 'detours', layout, paint: { 'line-color': '#fff', 'line-width': 9 } })
  map.addLayer({ id: 'detours', type: 'line', source: 'detours', layout, paint: { 'line-color': lineColor(), 'line-width': 5, 'line-dasharray': [0.1, 1.8] } })
}

/** The marker of each step: its label, and whether it is an end. */
function marksOf(trace: PageTrace): PrintedMark[] {
  return trace.steps.map(({ kind, position, label }) => ({ at: position, isEnd: kind === 'departure' || kind === 'arrival', text: label }))
}

function drawSteps(map: Map, trace: PageTrace): void {
  marksOf(trace).forEach(({ at, isEnd, text }, index) => {
    const element = dot(isEnd ? 'step-dot end' : 'step-dot')
    element.textContent = text
    const title = trace.steps[index]?.title
    if (title) element.title = title
    new Marker({ element }).setLngLat(at).addTo(map)
  })
}

/** The list under the map says in words what they are. */
function drawPois(map: Map, { pois }: PageTrace): void {
  for (const { title, at } of pois) {
    const element = dot('poi-dot')
    element.title = title
    new Marker({ element }).setLngLat(at).addTo(map)
  }
}

function dot(className: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.setAttribute('aria-hidden', 'true')
  return element
}

/** The provider's door a reader comes from: `4.0123,47.0456`. */
function doorOf(element: HTMLElement): [number, number] | null {
  const [lon, lat] = (element.dataset['from'] ?? '').split(',').map(Number)
  return lon === undefined || lat === undefined || Number.isNaN(lon + lat) ? null : [lon, lat]
}

function lngLat(position: PagePosition): [number, number] {
  return [position[0] ?? 0, position[1] ?? 0]
}
