import { positionAt, type MeasuredLine } from '@/records/map/line'

/** What the chart draws: distance (km) against elevation (m), and the figures beside it. */
export interface ProfileSamples {
  km: number[]
  ele: (number | null)[]
  minEle: number | null
  maxEle: number | null
}

/**
 * At most `columns` pairs of points: of each column its lowest and its highest, in their order, so that no summit is
 * lost however long the trace is.
 */
export function profileSamples({ points, atM, lengthM }: MeasuredLine, columns = 900): ProfileSamples {
  const km: number[] = []
  const ele: (number | null)[] = []
  let [minEle, maxEle]: [number | null, number | null] = [null, null]
  const push = (i: number) => {
    km.push((atM[i] ?? 0) / 1000)
    ele.push(points[i]?.[2] ?? null)
  }
  const width = Math.max(1, lengthM / columns)
  for (let start = 0; start < points.length;) {
    const edge = (atM[start] ?? 0) + width
    let [low, high] = [start, start]
    let end = start
    for (; end < points.length && ((atM[end] ?? 0) < edge || end === start); end++) {
      const e = points[end]?.[2]
      if (e === undefined) continue
      if (e < (points[low]?.[2] ?? Infinity)) low = end
      if (e > (points[high]?.[2] ?? -Infinity)) high = end
      minEle = minEle === null ? e : Math.min(minEle, e)
      maxEle = maxEle === null ? e : Math.max(maxEle, e)
    }
    const kept = [...new Set([start, Math.min(low, high), Math.max(low, high)])]
    kept.forEach(push)
    start = end
  }
  const last = points.length - 1
  if (last > 0 && km.at(-1) !== (atM[last] ?? 0) / 1000) push(last)
  return { km, ele, minEle, maxEle }
}

/** A stretch and how steep it is, percent, up in the direction of walking. */
export interface Steepest {
  fromM: number
  toM: number
  percent: number
}

const STEEPEST_STEP_M = 50

/** The steepest kilometre, up or down; null on lines shorter than that or with a height missing. */
export function steepestKilometre(line: MeasuredLine): Steepest | null {
  const over = 1000
  let steepest: Steepest | null = null
  for (let fromM = 0; fromM + over <= line.lengthM; fromM += STEEPEST_STEP_M) {
    const [low, high] = [positionAt(line, fromM)?.[2], positionAt(line, fromM + over)?.[2]]
    if (low === undefined || high === undefined) return null
    const percent = (100 * (high - low)) / over
    if (steepest === null || Math.abs(percent) > Math.abs(steepest.percent)) steepest = { fromM, toM: fromM + over, percent }
  }
  return steepest
}

/** A slope is measured over this length: over less, the noise of the heights is larger than the slope. */
const SLOPE_OVER_M = 100

/** The slope at the cursor, percent, positive when it climbs in the direction of walking; null where heights are missing. */
export function slopePercent(line: MeasuredLine, atM: number): number | null {
  const from = Math.max(0, Math.min(atM - SLOPE_OVER_M / 2, line.lengthM - SLOPE_OVER_M))
  const to = Math.min(line.lengthM, from + SLOPE_OVER_M)
  const [low, high] = [positionAt(line, from)?.[2], positionAt(line, to)?.[2]]
  return low === undefined || high === undefined || to - from < 10 ? null : (100 * (high - low)) / (to - from)
}
