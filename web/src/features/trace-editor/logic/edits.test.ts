import { describe, expect, it } from 'vitest'
import { distanceM } from '@/records/map/geo'
import { measure, positionAt } from '@/records/map/line'
import type { Position } from './geo'
import { reverse } from './operations'
import { type Revision, lengthM, workingLine } from './revision'
import { join, keepBetween, split } from './stretch'
import { revisionOf } from './testing'

/** The same numbers each time, between 0 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A walk with heights that turns, crosses itself and climbs. */
function walk(next: () => number): Position[] {
  let [lon, lat, height] = [2, 45, 500]
  return Array.from({ length: 40 }, (): Position => {
    lon += (next() - 0.4) * 1.5e-3
    lat += (next() - 0.5) * 1.5e-3
    height += (next() - 0.5) * 30
    return [lon, lat, height]
  })
}

const line = (revision: Revision) => measure(workingLine(revision.legs))

/** True after every edit: steps are on the line, in its order, departure first and arrival last. */
function isInPlace(revision: Revision): void {
  const whole = line(revision)
  revision.steps.forEach((one, index) => {
    const place = positionAt(whole, one.at_m)
    expect(place && distanceM(place, one.position)).toBeLessThan(0.5)
    expect(one.at_m).toBeGreaterThanOrEqual((revision.steps[index - 1]?.at_m ?? 0) - 0.01)
  })
  expect(revision.steps[0]?.kind).toBe('departure')
  expect(revision.steps.at(-1)?.kind).toBe('arrival')
  expect(revision.steps.at(-1)?.at_m).toBeCloseTo(whole.lengthM, 1)
}

describe('edits in any order', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed + 1))('keep heights, length and steps on the line (%i)', (seed) => {
    const next = numbers(seed * 7919)
    const first = revisionOf([['source', walk(next)]], [300, 900, 1500])
    const source = line(first)
    let [now, from, to, back] = [first, 0, source.lengthM, false]
    for (let edit = 0; edit < 10; edit += 1) {
      const total = lengthM(now.legs)
      // What would be shorter than a metre is not cut.
      if (total < 50) break
      const at = total * (0.05 + 0.9 * next())
      const kind = Math.floor(next() * 5)
      if (kind === 0) {
        now = reverse(now)
        back = !back
      } else if (kind === 1) now = split(now, at)
      else if (kind === 2) now = join(now, 0)
      else {
        const [start, end] = kind === 3 ? [0, at] : [at, total]
        now = keepBetween(now, start, end)
        const ends = back ? [to - end, to - start] : [from + start, from + end]
        from = ends[0] ?? from
        to = ends[1] ?? to
      }
      isInPlace(now)
    }
    const kept = line(now)
    expect(kept.lengthM).toBeCloseTo(to - from, 1)
    for (const share of [0, 0.2, 0.5, 0.8, 1]) {
      const [given, known] = [
        positionAt(kept, share * kept.lengthM),
        positionAt(source, back ? to - share * kept.lengthM : from + share * kept.lengthM),
      ]
      if (!given || !known) throw new Error('a line has places')
      expect(distanceM(given, known)).toBeLessThan(0.5)
      expect(Math.abs((given[2] ?? NaN) - (known[2] ?? NaN))).toBeLessThan(0.2)
    }
  })

  it('reversed twice is the same', () => {
    const first = revisionOf([['source', walk(numbers(5))]], [300, 900])
    const twice = reverse(reverse(first))
    expect(workingLine(twice.legs)).toEqual(workingLine(first.legs))
    expect(twice.steps.map((one) => [one.kind, one.position])).toEqual(first.steps.map((one) => [one.kind, one.position]))
    twice.steps.forEach((one, index) => expect(one.at_m).toBeCloseTo(first.steps[index]?.at_m ?? NaN, 3))
  })
})
