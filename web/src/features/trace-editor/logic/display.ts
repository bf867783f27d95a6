import type { Position } from '@/api/types'
import type { Gap } from './gaps'
import { locateInOrder } from './locate'
import { type MeasuredLine, measure, nearest, sliceLine } from '@/records/map/line'
import type { Step } from './revision'

/**
 * What the planner made of a line, after the line was changed and before the planner has answered again:
 * the planned line where nothing changed, the new working line between.
 */
export function patched(planned: readonly Position[], before: readonly Position[], now: readonly Position[]): readonly Position[] {
  if (before === now || now.length < 2) return before === now ? planned : now
  const most = Math.min(before.length, now.length)
  let head = 0
  while (head < most && same(before[head], now[head])) head += 1
  let tail = 0
  while (tail < most - head && same(before[before.length - 1 - tail], now[now.length - 1 - tail])) tail += 1
  if (head === before.length && head === now.length) return planned
  const whole = measure(planned)
  const first = now[head - 1]
  const last = now[now.length - tail]
  const from = first ? nearest(whole, first) : null
  const to = last ? nearest(whole, last, { fromM: from?.atM ?? 0 }) : null
  return [
    ...(from && head > 1 ? sliceLine(whole, 0, from.atM) : []),
    ...now.slice(head > 1 && from ? head : 0, now.length - (to && tail > 1 ? tail : 0)),
    ...(to && tail > 1 ? sliceLine(whole, to.atM, whole.lengthM) : []),
  ]
}

const same = (a: Position | undefined, b: Position | undefined): boolean =>
  a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1]

/** Where a gap is along the shown line; its own metres count along the recording. */
export interface Shown {
  readonly from_m: number
  readonly to_m: number
}

/** Gaps in order along the shown line, so that the second passage of a loop stays second. */
export function shownGaps(shown: MeasuredLine, gaps: readonly Gap[]): Map<Gap, Shown> {
  const order = gaps.toSorted((a, b) => a.from_m - b.from_m)
  const ends = order.flatMap((gap) => {
    const first = gap.line[0]
    const last = gap.line.at(-1)
    return first && last ? [first, last] : []
  })
  const found = locateInOrder(shown, ends)
  const out = new Map<Gap, Shown>()
  let at = 0
  for (const gap of order) {
    if (gap.line.length === 0) {
      out.set(gap, { from_m: gap.from_m, to_m: gap.to_m })
      continue
    }
    const from = found[at]?.atM ?? gap.from_m
    const to = found[at + 1]?.atM ?? gap.to_m
    out.set(gap, { from_m: from, to_m: Math.max(from, to) })
    at += 2
  }
  return out
}

/** The kilometre shown beside each step: along the line the app uses. */
export function shownSteps(shown: MeasuredLine, steps: readonly Step[]): number[] {
  if (shown.points.length < 2) return steps.map(() => 0)
  return locateInOrder(
    shown,
    steps.map((one) => one.position),
  ).map((found, index) => {
    const kind = steps[index]?.kind
    return kind === 'departure' ? 0 : kind === 'arrival' ? shown.lengthM : found.atM
  })
}
