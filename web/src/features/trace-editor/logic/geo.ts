import type { Position } from '@/api/model'

/** A place as GeoJSON writes it: degrees east, degrees north, metres above the sea where known. */
export type { Position }

/** The mean radius of the Earth, the same as the server's. */
const EARTH_RADIUS_M = 6_371_008.8
const RAD = Math.PI / 180
/** Metres in one degree of latitude. */
export const DEGREE_M = EARTH_RADIUS_M * RAD

/** Great-circle distance, metres (haversine). */
export function distanceM(a: Position, b: Position): number {
  const dLat = (b[1] - a[1]) * RAD
  const dLon = (b[0] - a[0]) * RAD
  const s = Math.sin(dLat / 2) ** 2 + Math.cos(a[1] * RAD) * Math.cos(b[1] * RAD) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(s)))
}

/** The place at `share` (0 to 1) of the way from `a` to `b`; elevation too when both ends have one. */
export function between(a: Position, b: Position, share: number): Position {
  const lon = a[0] + (b[0] - a[0]) * share
  const lat = a[1] + (b[1] - a[1]) * share
  return a[2] === undefined || b[2] === undefined ? [lon, lat] : [lon, lat, a[2] + (b[2] - a[2]) * share]
}

/** The place `east_m` and `north_m` metres away: what an arrow key does. */
export function offsetBy(from: Position, eastM: number, northM: number): Position {
  const lat = from[1] + northM / DEGREE_M
  const lon = from[0] + eastM / (DEGREE_M * Math.cos(from[1] * RAD))
  return [lon, lat]
}

/** Whether the two are one place for an editor: closer than half a metre. */
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
  const plain = /^\s*(-?\d+(?:[.,]\d+)?)\s*(?:[;\s]|,\s)\s*(-?\d+(?:[.,]\d+)?)\s*$/u.exec(text) ?? /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/u.exec(text)
  if (!plain) return null
  const lat = Number((plain[1] ?? '').replace(',', '.'))
  const lon = Number((plain[2] ?? '').replace(',', '.'))
  return isOnEarth(lon, lat) ? [lon, lat] : null
}
