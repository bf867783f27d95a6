import type { LngLat } from '@/api/types'
import { readPoint } from '@/records/map/point'

/** Points written one a line, latitude first; empty lines between them don't count. `fault`: the first line that is no place. */
export function readPoints(text: string): { points: LngLat[]; fault?: { line: number; text: string } } {
  const points: LngLat[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const point = readPoint(line)
    if (point === undefined) return { points: [], fault: { line: index + 1, text: line.trim() } }
    if (point !== null) points.push(point)
  }
  return { points }
}
