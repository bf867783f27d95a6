import type { LngLat } from '@/api/types'
import type { Box } from '@/offline/tiles'

const DEGREE_M = 111_195

/** A square around a place, from its middle to its sides. */
export function boxAround([lon, lat]: LngLat, metres: number): Box {
  const high = metres / DEGREE_M
  const wide = high / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return [lon - wide, lat - high, lon + wide, lat + high]
}

/** The box of places; null where there are none. */
export function boxOf(places: readonly (readonly number[])[]): Box | null {
  if (places.length === 0) return null
  return places.reduce<Box>(
    ([west, south, east, north], [lon = 0, lat = 0]) => [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ],
    [180, 90, -180, -90],
  )
}

export const isIn = ([west, south, east, north]: Box, [lon, lat]: LngLat): boolean =>
  lon >= west && lon <= east && lat >= south && lat <= north
