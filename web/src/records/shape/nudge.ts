import type { LngLat, Position } from '@/api/types'
import { DEGREE_M } from '@/records/map/geo'

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6

/** A place with the precision of the stored ones: six decimals are a tenth of a metre. */
export const rounded = ([lon, lat]: LngLat): LngLat => [round(lon), round(lat)]

/** The new place for an arrow key: ten metres, a hundred with Shift; nothing for another key. */
export function nudged([lon, lat]: Position, key: string, far: boolean): LngLat | undefined {
  const dLat = (far ? 100 : 10) / DEGREE_M
  // Meridians meet at the poles: there, no step east is long enough.
  const dLon = dLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const moves: Record<string, LngLat> = {
    ArrowUp: [lon, lat + dLat],
    ArrowDown: [lon, lat - dLat],
    ArrowLeft: [lon - dLon, lat],
    ArrowRight: [lon + dLon, lat],
  }
  const to = moves[key]
  return to === undefined ? undefined : rounded(to)
}
