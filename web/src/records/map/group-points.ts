import type { LngLat } from '@/api/types'
import type { Bbox } from './geo'

interface Placed {
  at: LngLat
  /** The box of a cluster, which covers more than its position. */
  bbox?: Bbox
}

/** Points so close on the screen that one cannot be pressed without the other, and the box that holds them. */
export interface PointGroup<P extends Placed> {
  points: readonly P[]
  position: LngLat
  bbox: Bbox
}

/** From this zoom on, points at one place are drawn beside each other: zooming in would not separate them. */
export const NEAREST_ZOOM = 14

/** Screen position in CSS pixels at a zoom, as MapLibre's Mercator of 512 px tiles has it. */
function onScreen([lon, lat]: LngLat, zoom: number): [number, number] {
  const world = 512 * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return [((lon + 180) / 360) * world, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world]
}

/** Groups of points less than `reach` pixels from the first of their group; most groups hold one. */
export function groupPoints<P extends Placed>(points: readonly P[], zoom: number, reach: number): PointGroup<P>[] {
  // The first of a group holds its place, so that no two groups come nearer than the reach.
  const groups: { x: number; y: number; position: LngLat; points: P[] }[] = []
  for (const point of points) {
    const [x, y] = onScreen(point.at, zoom)
    const near = groups.find((group) => Math.hypot(group.x - x, group.y - y) < reach)
    if (near) near.points.push(point)
    else groups.push({ x, y, position: point.at, points: [point] })
  }
  return groups.map(({ points: together, position }) => {
    const boxes = together.map(({ at: [lon, lat], bbox }): Bbox => bbox ?? [lon, lat, lon, lat])
    const side = (index: 0 | 1 | 2 | 3, of: (...values: number[]) => number) => of(...boxes.map((box) => box[index]))
    const bbox: Bbox = [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]
    return { points: together, position, bbox }
  })
}
