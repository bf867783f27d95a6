// The map of the widget: `src/widget` fetches this file by its name just before a map comes into view. Its exports are
// called by pages whose script may be an hour older: exports are added, never changed.
import { AttributionControl, LngLatBounds, Map, NavigationControl, setWorkerUrl, type GeoJSONSource } from 'maplibre-gl'
import css from 'maplibre-gl/dist/maplibre-gl.css?inline'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { wordsOf } from './map-words'

// The page belongs to another site: the worker's address is relative to this file, not to the page.
setWorkerUrl(new URL(workerUrl, import.meta.url).href)
const style = new CSSStyleSheet()
style.replaceSync(css)

type Place = [number, number]
interface WidgetMapOptions {
  /** Address of the style. */
  style: string
  french: boolean
  label: string
  /** Of the points; sent by scripts that are older than this file. Newer ones set it as a variable of the style. */
  color?: string
  /** Instead of a map that does not come; older scripts do not send it. */
  noMap?: string
  points: { id: number; at: Place }[]
  line: Place[]
  onPick: (id: number) => void
}

/** After a first error, how long the map may still take: a single square that fails is no reason to give it up. */
const GIVE_UP_MS = 8_000
/** Maps of a page share one worker, which reports that it is forbidden to those that exist then: later ones learn it from this. */
let hasFailed = false

const round = { 'line-cap': 'round', 'line-join': 'round' } as const
const collection = (features: GeoJSON.Feature[]): GeoJSON.FeatureCollection => ({ type: 'FeatureCollection', features })
const lineOf = (line: Place[]) => collection(line.length < 2 ? [] : [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } }])

/** Draws points and a line into a box inside a shadow; throws where the browser draws no map. */
export function drawWidgetMap(box: HTMLElement, { style: address, french, label, color: givenColor, noMap, points, line, onPick }: WidgetMapOptions): { choose: (id: number, line: Place[]) => void; remove: () => void } {
  const colorOf = (name: string) => getComputedStyle(box).getPropertyValue(name).trim()
  const color = givenColor ?? colorOf('--fill')
  const lineColor = colorOf('--line') || '#2438c9'
  const root = box.getRootNode()
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets = [style, ...root.adoptedStyleSheets]
  const canvas = document.createElement('div')
  canvas.className = 'live'
  box.append(canvas)
  const bounds = new LngLatBounds()
  for (const [lon, lat] of [...line, ...points.map(({ at }) => at)]) bounds.extend([lon, lat])
  const map = new Map({
    container: canvas,
    style: address,
    bounds,
    fitBoundsOptions: { padding: 40, maxZoom: 14, animate: false },
    attributionControl: false,
    cooperativeGestures: true,
    locale: wordsOf(label, french),
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right')

  const starts = () => collection(points.map(({ id, at }) => ({ type: 'Feature', id, properties: { id }, geometry: { type: 'Point', coordinates: at } })))
  let shown = line
  let picked = 0
  const draw = () => {
    map.addSource('line', { type: 'geojson', data: lineOf(shown) })
    map.addLayer({ id: 'casing', type: 'line', source: 'line', layout: round, paint: { 'line-color': '#fff', 'line-width': 9 } })
    map.addLayer({ id: 'line', type: 'line', source: 'line', layout: round, paint: { 'line-color': lineColor, 'line-width': 5 } })
    map.addSource('starts', { type: 'geojson', data: starts(), cluster: points.length > 60, clusterMaxZoom: 11, clusterRadius: 36 })
    map.addLayer({ id: 'starts', type: 'circle', source: 'starts', paint: { 'circle-color': color, 'circle-radius': ['step', ['coalesce', ['get', 'point_count'], 1], 9, 2, 13, 20, 18, 100, 24], 'circle-stroke-color': '#fff', 'circle-stroke-width': 2.5 } })
    map.addLayer({ id: 'picked', type: 'circle', source: 'starts', filter: ['==', ['get', 'id'], picked], paint: { 'circle-color': lineColor, 'circle-radius': 12, 'circle-stroke-color': '#fff', 'circle-stroke-width': 3 } })
  }
  // The page of the other site may forbid the map's worker or its addresses: MapLibre then reports an error and `load` never comes.
  const note = document.createElement('p')
  note.className = 'note'
  note.setAttribute('role', 'status')
  note.textContent = noMap ?? ''
  let timer = 0
  const giveUp = () => {
    hasFailed = true
    if (noMap !== undefined) timer = window.setTimeout(() => canvas.replaceWith(note), GIVE_UP_MS)
  }
  if (hasFailed) giveUp()
  else map.once('error', giveUp)
  map.on('load', () => {
    hasFailed = false
    map.off('error', giveUp)
    clearTimeout(timer)
    note.replaceWith(canvas)
    draw()
    // True once the map has rendered (used by the screenshot script).
    map.on('idle', () => box.setAttribute('data-idle', ''))
  })
  map.on('click', 'starts', ({ features = [] }) => {
    const [found] = features
    const { id, cluster_id: cluster }: { id?: number; cluster_id?: number } = found?.properties ?? {}
    if (id !== undefined) return onPick(id)
    if (cluster === undefined || found?.geometry.type !== 'Point') return
    const [lon = 0, lat = 0] = found.geometry.coordinates
    void map.getSource<GeoJSONSource>('starts')?.getClusterExpansionZoom(cluster).then((zoom) => map.easeTo({ center: [lon, lat], zoom }))
  })
  map.on('mouseenter', 'starts', () => { map.getCanvas().style.cursor = 'pointer' })
  map.on('mouseleave', 'starts', () => { map.getCanvas().style.cursor = '' })

  return {
    choose: (id, of) => {
      shown = of
      picked = id
      if (map.getLayer('picked')) {
        void map.getSource<GeoJSONSource>('line')?.setData(lineOf(of))
        map.setFilter('picked', ['==', ['get', 'id'], id])
      }
      const whole = of.reduce((all, [lon, lat]) => all.extend([lon, lat]), new LngLatBounds())
      if (!whole.isEmpty()) map.fitBounds(whole, { padding: 40, maxZoom: 14 })
    },
    remove: () => {
      clearTimeout(timer)
      map.remove()
    },
  }
}
