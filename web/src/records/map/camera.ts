import type { LngLat, Position } from '@/api/types'
import type { Bbox } from './geo'

/** Pixels of the world's side at zoom 0, as in MapLibre. */
const TILE_PX = 512

export interface Size {
  width: number
  height: number
}
export type Padding = number | { top: number; right: number; bottom: number; left: number }

/** The padding of a map around its content. */
export const PADDING_PX = 40
/** The room at the right where the controls are: they end 52 pixels from the edge, and half a mark stands beside them. */
const CONTROLS_PX = 76
/** The room around a line with marks at its ends; a still map has no controls. */
export const roomOf = (still: boolean): Padding =>
  still ? PADDING_PX : { top: PADDING_PX, right: CONTROLS_PX, bottom: PADDING_PX, left: PADDING_PX }

/** Where a flat map that is north up is looked at from. */
export interface Camera {
  zoom: number
  /** What is seen. */
  bbox: Bbox
  /** The place of a position in the window of the map, pixels from its top left corner. */
  project: (at: LngLat | Position) => [x: number, y: number]
}

/** Web Mercator, in parts of the world's side. */
const x = (lon: number) => (180 + lon) / 360
const y = (lat: number) => (180 - (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360))) / 360
const lonOf = (at: number) => at * 360 - 180
const latOf = (at: number) => (360 / Math.PI) * Math.atan(Math.exp(((180 - at * 360) * Math.PI) / 180)) - 90

/** The view in which MapLibre shows a box (`fitBounds`), before there is a map; null for a window that the padding fills. */
export function cameraOf([west, south, east, north]: Bbox, { width, height }: Size, padding: Padding, maxZoom: number): Camera | null {
  const around = typeof padding === 'number' ? { top: padding, right: padding, bottom: padding, left: padding } : padding
  const free = { width: width - around.left - around.right, height: height - around.top - around.bottom }
  if (free.width <= 0 || free.height <= 0) return null
  const wide = Math.max(x(east) - x(west), 1e-12)
  const high = Math.max(y(south) - y(north), 1e-12)
  const zoom = Math.min(maxZoom, Math.log2(Math.min(free.width / wide, free.height / high) / TILE_PX))
  const world = TILE_PX * 2 ** zoom
  const middle = {
    x: (x(west) + x(east)) / 2 - (around.left - around.right) / 2 / world,
    y: (y(south) + y(north)) / 2 - (around.top - around.bottom) / 2 / world,
  }
  const half = { x: width / 2 / world, y: height / 2 / world }
  return {
    zoom,
    bbox: [lonOf(middle.x - half.x), latOf(middle.y + half.y), lonOf(middle.x + half.x), latOf(middle.y - half.y)],
    project: ([lon, lat]) => [(x(lon) - middle.x) * world + width / 2, (y(lat) - middle.y) * world + height / 2],
  }
}
