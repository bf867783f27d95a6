import type { LngLat, Position } from '@/api/types'
import { narrow } from '@/i18n/typography'
import { format } from '@/ui/format'

/** Degrees with at most five decimals (about a metre), without zeros at the end. */
const degrees = (value: number): string => format.number(value, 0, { maximumFractionDigits: 5 })

/** « 44,9127 ; 5,3684 »: latitude first, as on signs and in the browser's own maps. */
export const writePoint = ([lon, lat]: LngLat): string => `${degrees(lat)}${narrow}; ${degrees(lon)}`

/** Reads latitude and longitude with any usual separator; `null` for an empty text, `undefined` for a text that is no position. */
export function readPoint(text: string): LngLat | null | undefined {
  const bare = text.trim()
  if (bare === '') return null
  const parts = /[;/]/.test(bare) ? bare.split(/[;/]/) : bare.includes('.') ? bare.split(/[,\s]+/) : bare.split(/\s+/)
  const numbers = parts.map((part) => part.trim().replace(',', '.').replace('\u2212', '-')).filter((part) => part !== '')
  if (numbers.length !== 2 || numbers.some((part) => !/^-?\d{1,3}(\.\d+)?$/.test(part))) return undefined
  const [lat = 0, lon = 0] = numbers.map(Number)
  return Math.abs(lat) > 90 || Math.abs(lon) > 180 ? undefined : [lon, lat]
}

/** Whether a place is outside the region and would be inside it with latitude and longitude swapped. */
export function isSwapped([lon, lat]: LngLat | Position, bbox: readonly number[] | null): boolean {
  const [west, south, east, north] = bbox ?? []
  if (west === undefined || south === undefined || east === undefined || north === undefined) return false
  const inside = (x: number, y: number) => x >= west && x <= east && y >= south && y <= north
  return !inside(lon, lat) && inside(lat, lon)
}
