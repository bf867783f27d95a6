import type { LngLat } from '@/api/types'
import type { HighlightStore } from '@/records/list/highlight'
import { groupPoints, NEAREST_ZOOM } from './group-points'
import type { Bbox } from './geo'

/** The records that the map beside a list shows. */
export interface View {
  bbox: string
  zoom: number
}

/** A closed one has a pin of another shape. */
export interface Point {
  id: number
  title: string
  at: LngLat
  closed?: boolean
}
export interface Cluster {
  position: LngLat
  count: number
  bbox: Bbox
}

/** The map beside a list of records. */
export interface PointsOf {
  label: string
  points: readonly Point[]
  clusters: readonly Cluster[]
  /** The box the list is narrowed to, while it follows the map. */
  bbox: string | undefined
  onBbox: (bbox: string | undefined) => void
  onView: (view: View) => void
  highlight: HighlightStore
}

/** A cluster and the room around it: closer than this, two cannot be pressed apart. */
const REACH_PX = 42
/** How far apart pins of one place are put. */
export const ASIDE_PX = 30

/** A record, or a cluster of them as the server counted it. */
interface Shown {
  at: LngLat
  id?: number
  title?: string
  closed?: boolean
  count?: number
  bbox?: Bbox
}

export interface ClusterMark {
  kind: 'cluster'
  key: string
  at: LngLat
  count: number
  bbox: Bbox
}
export interface PinMark {
  kind: 'pin'
  key: string
  at: LngLat
  id: number
  title: string
  closed: boolean
  /** How many pins come before it at the same place. */
  rank: number
}
export type Mark = ClusterMark | PinMark

/** The markers of each group: a count at low zoom, its records side by side at high zoom. The server's clusters have no id, those of one record too. */
export function marksOf(points: readonly Point[], clusters: readonly Cluster[], zoom: number): Mark[] {
  const all: Shown[] = [...clusters.map(({ position, ...rest }) => ({ at: position, ...rest })), ...points]
  return groupPoints<Shown>(all, zoom, REACH_PX).flatMap(({ points: together, position, bbox }): Mark[] => {
    const count = together.reduce((sum, one) => sum + (one.count ?? 1), 0)
    const pins = together.flatMap(({ id, title = '', closed = false, at }, rank): PinMark[] =>
      id === undefined ? [] : [{ kind: 'pin', key: `${id}`, id, title, closed, at, rank }],
    )
    if (pins.length < count || (count > 1 && zoom < NEAREST_ZOOM))
      return [{ kind: 'cluster', key: position.join(' '), at: position, count, bbox }]
    return pins
  })
}

/** A box as the address has it. */
export const written = (box: Bbox) => box.map((degrees) => degrees.toFixed(4)).join(',')

export function readBox(text: string | undefined): Bbox | null {
  const numbers = (text ?? '').split(',').map(Number)
  const [west, south, east, north] = numbers
  if (numbers.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) return null
  return numbers.every(Number.isFinite) ? [west, south, east, north] : null
}
