import type { LngLat } from '@/api/model'
import { distanceM } from '@/ui/map/geo'

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6

/** A place as it is kept: six decimals are a tenth of a metre. */
export const rounded = ([lon, lat]: LngLat): LngLat => [round(lon), round(lat)]

/** Where an arrow key takes a place: ten metres, a hundred with Maj; nothing for another key. */
export function nudged([lon, lat]: LngLat, key: string, far: boolean): LngLat | undefined {
  const step = far ? 100 : 10
  const [dLon, dLat] = [step / (distanceM([lon, lat], [lon + 1, lat]) || 1), step / 111_320]
  const moves: Record<string, LngLat> = { ArrowUp: [lon, lat + dLat], ArrowDown: [lon, lat - dLat], ArrowLeft: [lon - dLon, lat], ArrowRight: [lon + dLon, lat] }
  const to = moves[key]
  return to === undefined ? undefined : rounded(to)
}
