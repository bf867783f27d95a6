import { distanceM } from '@/records/map/geo'
import { type Position } from './geo'
import { type MeasuredLine, type Nearest, nearest } from '@/records/map/line'

/** Passages of the line up to this much farther than the nearest one are considered too: a loop passes twice. */
const SLACK_M = 30
/** The least length of a stretch that is scanned for one passage. */
const MIN_WINDOW_M = 60
/** A recording that circles on one spot passes hundreds of times: more choices than this change nothing. */
const MAX_PASSAGES = 24

/**
 * Where each place is on the line, in an order that never goes back.
 *
 * A loop or an out-and-back passes twice by the same place: taking the nearest point would throw a step to the wrong passage.
 * Each place gets its few passages, and the never-decreasing choice with the least total offset wins.
 */
export function locateInOrder(measured: MeasuredLine, places: readonly Position[]): Nearest[] {
  const choices = places.map((place) => passages(measured, place))
  const costs: { cost: number; from: number }[][] = []
  choices.forEach((options, row) => {
    costs.push(
      options.map((option) => bestBefore(option, row === 0 ? null : { options: choices[row - 1] ?? [], costs: costs[row - 1] ?? [] })),
    )
  })
  return walkBack(choices, costs)
}

/** Going back is not forbidden (a recording can), it only costs more than any offset. */
const BACKWARDS_COST = 1e9

function bestBefore(option: Nearest, before: { options: Nearest[]; costs: { cost: number }[] } | null): { cost: number; from: number } {
  const own = option.offsetM ** 2
  if (!before || before.options.length === 0) return { cost: own, from: -1 }
  let best = { cost: Infinity, from: 0 }
  before.options.forEach((earlier, index) => {
    const back = earlier.atM > option.atM + 0.01 ? BACKWARDS_COST : 0
    const cost = own + back + (before.costs[index]?.cost ?? Infinity)
    if (cost < best.cost) best = { cost, from: index }
  })
  return best
}

function walkBack(choices: Nearest[][], costs: { cost: number; from: number }[][]): Nearest[] {
  const out: Nearest[] = []
  let pick = -1
  for (let row = choices.length - 1; row >= 0; row -= 1) {
    const rowCosts = costs[row] ?? []
    if (pick < 0) pick = rowCosts.reduce((best, entry, index) => (entry.cost < (rowCosts[best]?.cost ?? Infinity) ? index : best), 0)
    const chosen = choices[row]?.[pick]
    if (chosen) out.unshift(chosen)
    pick = rowCosts[pick]?.from ?? -1
  }
  return out
}

/** The places at which the line passes: the nearest, and each other passage about as near. */
export function passages(measured: MeasuredLine, place: Position): Nearest[] {
  const first = nearest(measured, place)
  if (!first) return []
  const limit = first.offsetM + SLACK_M
  const window = Math.max(MIN_WINDOW_M, limit * 2)
  const found: Nearest[] = []
  const collect = (from: number, to: number): void => {
    const next = from < to && found.length < MAX_PASSAGES ? nearest(measured, place, { fromM: from, toM: to, withinM: limit }) : null
    if (!next) return
    found.push(next)
    collect(from, next.atM - window)
    collect(next.atM + window, to)
  }
  collect(0, first.atM - window)
  collect(first.atM + window, measured.lengthM)
  return [first, ...found].sort((a, b) => a.atM - b.atM)
}

/** Whether the line ends where it starts, within `withinM`. */
export function endsDistanceM(line: readonly Position[]): number | null {
  const first = line[0]
  const last = line[line.length - 1]
  return first && last && line.length > 1 ? distanceM(first, last) : null
}
