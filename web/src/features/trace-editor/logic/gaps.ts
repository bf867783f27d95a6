import type { TraceGap, TraceReliability } from '@/api/types'
import { type Revision, spans } from './revision'

export type Gap = TraceGap
/** What the index is made of. */
export type Reliability = Pick<
  TraceReliability,
  'percent' | 'not_calculable' | 'judged_m' | 'on_network_m' | 'hole_m' | 'outside_m' | 'tolerance_m' | 'gaps'
>

/** A judged gap with its letter. */
export interface LetteredGap extends Gap {
  readonly letter: string
  /** Points won by its fix; 0 when nothing mends it. */
  readonly gain: number
}

/** A, B … Z, AA, AB … */
export function letter(rank: number): string {
  const last = String.fromCodePoint(65 + (rank % 26))
  return rank < 26 ? last : letter(Math.floor(rank / 26) - 1) + last
}

/** Rounded down to one decimal: 94.96 shows 94.9. A small tolerance keeps rounding errors of floating point from costing a tenth. */
export const floorTenth = (value: number): number => Math.floor(value * 10 + 1e-9) / 10

/** Judged gaps, worst first, lettered. */
export function lettered(reliability: Reliability): LetteredGap[] {
  return reliability.gaps
    .filter((gap) => gap.judged)
    .toSorted((a, b) => b.points - a.points || a.from_m - b.from_m)
    .map((gap, rank) => ({
      ...gap,
      letter: letter(rank),
      gain: gap.fix ? floorTenth(Math.max(0, percentWith(reliability, [gap]) - exact(reliability))) : 0,
    }))
}

/** What could not be judged, in order along the line. */
export const notJudged = (reliability: Reliability): Gap[] =>
  reliability.gaps.filter((gap) => !gap.judged).toSorted((a, b) => a.from_m - b.from_m)

const exact = (reliability: Reliability): number => (reliability.judged_m > 0 ? (100 * reliability.on_network_m) / reliability.judged_m : 0)

/** The index after the fixes of `gaps`: the length of their stretches is removed, the length of the fixes is added, all of it on the network. */
export function percentWith(reliability: Reliability, gaps: readonly Gap[]): number {
  let on = reliability.on_network_m
  let judged = reliability.judged_m
  for (const gap of gaps) {
    if (!gap.fix) continue
    on += gap.fix.distance_m
    judged += gap.fix.distance_m - gap.length_m
  }
  return judged > 0 ? Math.min(100, (100 * on) / judged) : 0
}

/** The fewest fixes that reach the threshold, and where they lead. */
export interface ShortestWay {
  readonly letters: readonly string[]
  readonly percent: number
  /** False when every fix together still stays below. */
  readonly reaches: boolean
}

/** Takes the fixes that bring most, until the threshold is reached. Null when nothing is to be done, or nothing can be. */
export function shortestWay(reliability: Reliability, threshold: number): ShortestWay | null {
  if (reliability.not_calculable || reliability.percent === null || floorTenth(reliability.percent) >= threshold) return null
  const mendable = lettered(reliability)
    .filter((gap) => gap.fix)
    .toSorted((a, b) => b.gain - a.gain || b.points - a.points)
  const taken: LetteredGap[] = []
  for (const gap of mendable) {
    taken.push(gap)
    const percent = floorTenth(percentWith(reliability, taken))
    if (percent >= threshold) return { letters: sorted(taken), percent, reaches: true }
  }
  return taken.length > 0 ? { letters: sorted(taken), percent: floorTenth(percentWith(reliability, taken)), reaches: false } : null
}

const sorted = (gaps: readonly LetteredGap[]): string[] =>
  gaps.map((gap) => gap.letter).toSorted((a, b) => a.length - b.length || a.localeCompare(b))

/** Whether a gap was decided: its stretch is free already. */
export function isKept(gap: Gap, revision: Revision): boolean {
  const free = spans(revision.legs).reduce((sum, span) => {
    if (span.leg.kind !== 'free') return sum
    return sum + Math.max(0, Math.min(span.to_m, gap.to_m) - Math.max(span.from_m, gap.from_m))
  }, 0)
  return gap.to_m > gap.from_m && free >= 0.8 * (gap.to_m - gap.from_m)
}
