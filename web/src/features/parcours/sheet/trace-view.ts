import type { Position, TraceReliability, RibbonPart, TraceSummary } from '@/api/types'
import type { LineKind } from '@/records/map/strokes'
import { bboxOf, simplify } from '@/records/map/geo'

const clamp = (share: number) => Math.min(1, Math.max(0, share))

/** The length along which the score counts its metres: that of the source. */
export const scoredLengthM = (reliability: TraceReliability): number =>
  Math.max(reliability.judged_m + reliability.hole_m + reliability.outside_m, ...reliability.gaps.map(({ to_m }) => to_m), 1)

/** A stretch that is free on purpose is shown as off the network, not as a hole of the recording. */
const kindOf = ({ judged, cause }: { judged: boolean; cause: string }) =>
  judged || cause === 'kept_off_network' ? 'off_network' : 'unjudged'

/** The ruban of a trace, from what its score explains. */
export function ribbonOf(trace: Pick<TraceSummary, 'reliability' | 'mode'>): RibbonPart[] {
  const { reliability, mode } = trace
  if (reliability === null || mode === 'source') return []
  const length = scoredLengthM(reliability)
  return reliability.gaps.map((gap) => ({ from: clamp(gap.from_m / length), to: clamp(gap.to_m / length), kind: kindOf(gap) }))
}

/** The stretches of a map that are not plainly on the network. */
export const stretchesOf = (trace: Pick<TraceSummary, 'reliability' | 'mode'> | null): { kind: LineKind; line: readonly Position[] }[] =>
  trace?.reliability === null || trace === null || trace.mode === 'source'
    ? []
    : trace.reliability.gaps.map((gap) => ({ kind: kindOf(gap), line: gap.line }))

const box = 40
const margin = 6

/** The glyphe of a line: its shape as an SVG path in a box of 40, north up. */
export function glyphOf(line: readonly Position[]): string | null {
  const bounds = bboxOf(line)
  if (bounds === null || line.length < 2) return null
  const [west, south, east, north] = bounds
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const [width, height] = [(east - west) * squeeze, north - south]
  const scale = (box - 2 * margin) / Math.max(width, height, 1e-9)
  // A picture of 40 px shows nothing finer than a hundredth of the shape.
  const few = simplify(line, (Math.max(width, height) * 111_000) / 100)
  const points = few.map(([lon, lat]) => {
    const x = margin + (box - 2 * margin - width * scale) / 2 + (lon - west) * squeeze * scale
    const y = margin + (box - 2 * margin - height * scale) / 2 + (north - lat) * scale
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return `M${points.join('L')}`
}

/** The stretches that cost points, the most expensive first. */
export const costlyGaps = (reliability: TraceReliability) =>
  reliability.gaps.filter(({ judged }) => judged).sort((a, b) => b.points - a.points)
