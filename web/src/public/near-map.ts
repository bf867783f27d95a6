import { AttributionControl, LngLatBounds, Map, Marker, NavigationControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { wordsOf } from './map-words'

setWorkerUrl(workerUrl)

interface Near {
  name: string
  /** The door, where there is one. */
  at: [number, number] | null
  /** Where the parcours start, in the order of the list; null for one without a trace. */
  starts: ([number, number] | null)[]
  /** The number of the first one. */
  first: number
}

/** The starts of a list by their numbers, and the door of a provider where there is one. */
export function drawNear(element: HTMLElement): void {
  const { name, at, starts, first }: Near = JSON.parse(document.getElementById('near')?.textContent ?? '')
  const canvas = document.createElement('div')
  canvas.className = 'live-map'
  element.append(canvas)
  let map: Map
  try {
    map = new Map({
      container: canvas,
      style: element.dataset['style'] ?? '',
      bounds: readBounds(element) ?? [at, ...starts].reduce((all, place) => (place === null ? all : all.extend(place)), new LngLatBounds()),
      fitBoundsOptions: { padding: 48, maxZoom: 14, animate: false },
      attributionControl: false,
      cooperativeGestures: true,
      locale: wordsOf(element.dataset['label'] ?? '', document.documentElement.lang === 'fr'),
    })
  } catch {
    canvas.remove()
    return
  }
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right')
  // From the last to the first: the nearest lie on top.
  starts.forEach((_, index) => {
    const at = starts.length - 1 - index
    const place = starts[at]
    if (place) mark(map, place, 'step-dot', String(first + at))
  })
  if (at !== null) mark(map, at, 'door-dot', '', name)
  map.on('idle', () => element.setAttribute('data-idle', ''))
}

/** What the white-label shows at first; null where it sets nothing. */
function readBounds(element: HTMLElement): [number, number, number, number] | null {
  const [west, south, east, north] = (element.dataset['bounds'] ?? '').split(',').map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null
  return [west, south, east, north].some(Number.isNaN) ? null : [west, south, east, north]
}

/** A dot that the list says in words. */
export function mark(map: Map, place: [number, number], className: string, text: string, title = ''): void {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  element.title = title
  element.setAttribute('aria-hidden', 'true')
  new Marker({ element }).setLngLat(place).addTo(map)
}
