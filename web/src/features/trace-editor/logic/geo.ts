import { DEGREE_M, distanceM } from '@/records/map/geo'
import type { Position } from '@/api/types'

/** A place as GeoJSON writes it: degrees east, degrees north, metres above the sea where known. */
export type { Position }

const RAD = Math.PI / 180

/** The place `east_m` and `north_m` metres away: what an arrow key does. */
export function offsetBy(from: Position, eastM: number, northM: number): Position {
  const lat = from[1] + northM / DEGREE_M
  const lon = from[0] + eastM / (DEGREE_M * Math.cos(from[1] * RAD))
  return [lon, lat]
}

/** Whether the editor treats the two as one place: closer than half a metre. */
export function samePlace(a: Position, b: Position): boolean {
  return distanceM(a, b) < 0.5
}

/** Whether a pair of numbers is a place on the Earth. */
export function isOnEarth(lon: number, lat: number): boolean {
  return Number.isFinite(lon) && Number.isFinite(lat) && Math.abs(lon) <= 180 && Math.abs(lat) <= 90
}

/** "45,1234 6,5432", "45.1234, 6.5432" or "45°07'24\"N 6°32'35\"E": latitude first, as people write it. Null when it is no place. */
export function parseCoordinates(text: string): Position | null {
  const sexagesimal = [...text.matchAll(/(\d+)\s*°\s*(\d+)\s*['′’]\s*(?:([\d.,]+)\s*["″”]?)?\s*([NSEWO])/giu)]
  if (sexagesimal.length === 2) {
    const [lat, lon] = sexagesimal.map((part) => {
      const degrees = Number(part[1]) + Number(part[2]) / 60 + Number((part[3] ?? '0').replace(',', '.')) / 3600
      return /[SWO]/iu.test(part[4] ?? '') ? -degrees : degrees
    })
    return lat !== undefined && lon !== undefined && isOnEarth(lon, lat) ? [lon, lat] : null
  }
  const plain =
    /^\s*(-?\d+(?:[.,]\d+)?)\s*(?:[;\s]|,\s)\s*(-?\d+(?:[.,]\d+)?)\s*$/u.exec(text) ??
    /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/u.exec(text)
  if (!plain) return null
  const lat = Number((plain[1] ?? '').replace(',', '.'))
  const lon = Number((plain[2] ?? '').replace(',', '.'))
  return isOnEarth(lon, lat) ? [lon, lat] : null
}
