import type { Map as MaplibreMap, MapMouseEvent, MapTouchEvent, PointLike } from 'maplibre-gl'
import type { LngLat, Position } from '@/api/types'
import { bendAt, press, toWorking } from '../editor/actions'
import { shownMeasured } from '../editor/shown'
import type { Editor } from '../editor/store'
import { type Nearest, nearest } from '@/records/map/line'

/** The largest distance of a press from the line, pixels; larger for touch. */
const REACH_PX = { mouse: 12, touch: 22, cross: 34 }
/** A shorter movement is a press, not a drag, pixels. */
const DRAG_PX = 4
/** A long press on the line adds a step after this time, ms. */
const HOLD_MS = 500

interface GhostPen {
  track(atM: number, place: Position, free: boolean): void
  clear(): void
}

interface At {
  x: number
  y: number
}

/** Metres of one pixel at a place, at the map's current zoom. */
export function metresPerPixel(map: MaplibreMap, lat: number): number {
  return (40_075_016.7 * Math.cos((lat * Math.PI) / 180)) / (512 * 2 ** map.getZoom())
}

const placeOf = (lngLat: { lng: number; lat: number }): LngLat => [lngLat.lng, lngLat.lat]

/** Adds the gestures of mouse and touch to the map: press with the current tool, drag the line, long press on the line. Returns a function that removes them. */
export function attachGestures(map: MaplibreMap, editor: Editor, ghost: GhostPen): () => void {
  const pick = (point: At, reach: keyof typeof REACH_PX): Nearest | null => {
    const place = placeOf(map.unproject([point.x, point.y] satisfies PointLike))
    return nearest(shownMeasured(editor.get()), place, { withinM: REACH_PX[reach] * metresPerPixel(map, place[1]) })
  }
  const pressAt = (point: At, reach: keyof typeof REACH_PX, free: boolean): void => {
    const hit = pick(point, reach)
    press(editor, placeOf(map.unproject([point.x, point.y])), hit ? toWorking(editor, hit) : null, free)
  }

  let dragged = false
  const onDown = (event: MapMouseEvent): void => {
    dragged = false
    const { tool, parcours } = editor.get()
    if (event.originalEvent.button !== 0 || !parcours.editable || (tool !== 'select' && tool !== 'step')) return
    const hit = pick(event.point, 'mouse')
    if (!hit) return
    event.preventDefault()
    const atM = toWorking(editor, hit)
    const from = event.point
    const onMove = (move: MapMouseEvent): void => {
      if (!dragged && Math.hypot(move.point.x - from.x, move.point.y - from.y) < DRAG_PX) return
      dragged = true
      ghost.track(atM, placeOf(move.lngLat), move.originalEvent.altKey)
    }
    const onKey = (key: KeyboardEvent): void => {
      if (key.key === 'Escape') finish(null)
    }
    const finish = (place: Position | null, free = false): void => {
      map.off('mousemove', onMove)
      globalThis.removeEventListener('mouseup', onUp)
      globalThis.removeEventListener('keydown', onKey)
      ghost.clear()
      if (dragged && place) bendAt(editor, atM, place, free)
    }
    const onUp = (up: MouseEvent): void => {
      const box = map.getCanvas().getBoundingClientRect()
      finish(placeOf(map.unproject([up.clientX - box.left, up.clientY - box.top])), up.altKey)
    }
    map.on('mousemove', onMove)
    globalThis.addEventListener('mouseup', onUp)
    globalThis.addEventListener('keydown', onKey)
  }
  const onClick = (event: MapMouseEvent): void => {
    if (!dragged) pressAt(event.point, 'mouse', event.originalEvent.altKey)
    dragged = false
  }
  const onHover = (event: MapMouseEvent): void => {
    const { tool, parcours } = editor.get()
    const near = parcours.editable && tool === 'select' && pick(event.point, 'mouse') !== null
    map.getCanvas().style.cursor = near ? 'grab' : tool === 'select' || tool === 'layers' ? '' : 'crosshair'
  }

  let hold: ReturnType<typeof setTimeout> | undefined
  let held: At | null = null
  const onTouch = (event: MapTouchEvent): void => {
    clearTimeout(hold)
    held = event.points.length === 1 ? event.point : null
    const place = held
    if (place && editor.get().tool === 'select' && pick(place, 'touch')) hold = setTimeout(() => pressAt(place, 'touch', false), HOLD_MS)
  }
  const onTouchMove = (event: MapTouchEvent): void => {
    if (held && Math.hypot(event.point.x - held.x, event.point.y - held.y) > 10) clearTimeout(hold)
  }
  const onTouchEnd = (): void => clearTimeout(hold)

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== map.getCanvas()) return
    event.preventDefault()
    const { clientWidth, clientHeight } = map.getCanvas()
    pressAt({ x: clientWidth / 2, y: clientHeight / 2 }, 'cross', event.altKey)
  }

  map.on('mousedown', onDown)
  map.on('click', onClick)
  map.on('mousemove', onHover)
  map.on('touchstart', onTouch)
  map.on('touchmove', onTouchMove)
  map.on('touchend', onTouchEnd)
  map.getCanvas().addEventListener('keydown', onKeyDown)
  return () => {
    clearTimeout(hold)
    map.off('mousedown', onDown)
    map.off('click', onClick)
    map.off('mousemove', onHover)
    map.off('touchstart', onTouch)
    map.off('touchmove', onTouchMove)
    map.off('touchend', onTouchEnd)
    map.getCanvas().removeEventListener('keydown', onKeyDown)
  }
}
