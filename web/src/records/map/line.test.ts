import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Position } from '@/api/types'
import { bboxOf, distanceM, simplify } from './geo'
import { measure, nearest, positionAt, sliceLine } from './line'
import { palettes } from './palette'
import { profileSamples } from '@/records/profile/samples'

/** Due north along a meridian: a degree is 111,195.08 m on the mean sphere. */
const degreeM = 111_195.08
const line: Position[] = [
  [2, 45, 100],
  [2, 45.01, 200],
  [2, 45.02, 150],
]
const measured = measure(line)

describe('a measured line', () => {
  it('measures in metres', () => {
    expect(distanceM([2, 45], [2, 46])).toBeCloseTo(degreeM, 0)
    expect(measured.lengthM).toBeCloseTo(degreeM * 0.02, 0)
    expect(measure([]).lengthM + measure([[2, 45]]).lengthM).toBe(0)
  })
  it('finds a place by its distance, with its height, and keeps inside its ends', () => {
    const half = positionAt(measured, measured.lengthM / 4)
    expect(half?.[1]).toBeCloseTo(45.005, 6)
    expect(half?.[2]).toBeCloseTo(150, 3)
    expect([positionAt(measured, -5)?.[1], positionAt(measured, 1e9)?.[1], positionAt(measure([]), 3)]).toEqual([45, 45.02, null])
  })
  it('finds the nearest place and how far off it is', () => {
    const near = nearest(measured, [2.001, 45.005])
    expect(near?.atM).toBeCloseTo(degreeM * 0.005, -1)
    expect(near?.offsetM).toBeCloseTo(degreeM * 0.001 * Math.cos((45.005 * Math.PI) / 180), 0)
  })
  it('is cut between two distances, whichever comes first', () => {
    const part = sliceLine(measured, measured.lengthM * 0.75, measured.lengthM * 0.25)
    expect(part.map(([, lat]) => Math.round(lat * 1e4) / 1e4)).toEqual([45.005, 45.01, 45.015])
  })
  it('is simplified within a tolerance, its ends kept', () => {
    const noisy: Position[] = Array.from({ length: 101 }, (_, i) => [2 + (i % 2) * 1e-6, 45 + i * 1e-4])
    expect(simplify(noisy, 5)).toEqual([noisy[0], noisy[100]])
    expect(
      simplify(
        [
          [2, 45],
          [2.01, 45.005],
          [2, 45.01],
        ],
        5,
      ),
    ).toHaveLength(3)
    expect(bboxOf(noisy)).toEqual([2, 45, 2 + 1e-6, 45 + 100 * 1e-4])
  })
})

/** Ten kilometres due east at 42.5°, a point each 25 m. */
const eastward = Array.from({ length: 401 }, (_, i): Position => [1.5 + (i * 25) / (degreeM * Math.cos((42.5 * Math.PI) / 180)), 42.5])

describe('a long measured line', () => {
  const line = measure(eastward)

  it('knows its length and each place along it', () => {
    expect(line.lengthM).toBeCloseTo(10_000, 0)
    expect(distanceM(positionAt(line, 0) ?? [0, 0], positionAt(line, 3333) ?? [0, 0])).toBeCloseTo(3333, 0)
    expect(positionAt(line, 99_999)).toEqual(line.points.at(-1))
    expect(positionAt(measure([]), 3)).toBeNull()
  })

  it('finds the nearest place, as a plain look at every segment does', () => {
    const wavy = measure(Array.from({ length: 2000 }, (_, i): Position => [1.5 + Math.sin(i / 50) / 100, 42.5 + i / 20_000]))
    for (let i = 0; i < 50; i += 1) {
      const target: Position = [1.49 + (i % 7) / 300, 42.5 + i / 520]
      let best = Infinity
      for (let at = 0; at < wavy.lengthM; at += 5) best = Math.min(best, distanceM(positionAt(wavy, at) ?? [0, 0], target))
      expect(nearest(wavy, target)?.offsetM).toBeLessThan(best + 1)
      expect(nearest(wavy, target)?.offsetM).toBeGreaterThan(best - 6)
    }
  })

  it('looks only inside the reach', () => {
    const far: Position = [eastward[200]?.[0] ?? 0, 42.5 + 40 / degreeM]
    expect(nearest(line, far)?.atM).toBeCloseTo(5000, 0)
    expect(nearest(line, far, { fromM: 6000 })?.atM).toBeCloseTo(6000, 0)
    expect(nearest(line, far, { toM: 4000 })?.atM).toBeCloseTo(4000, 0)
    expect(nearest(line, far, { withinM: 30 })).toBeNull()
  })

  it('cuts out a part with exact ends', () => {
    const part = measure(sliceLine(line, 110, 990))
    expect(part.lengthM).toBeCloseTo(880, 1)
    expect(part.points).toHaveLength(37)
  })

  it('searches a long line by boxes: far less work than a look at every point', () => {
    const long = measure(Array.from({ length: 200_000 }, (_, i): Position => [1.5 + Math.sin(i / 900) / 20, 42.5 + i / 800_000]))
    const places = Array.from({ length: 60 }, (_, i): Position => [1.5 + (i % 40) / 1000, 42.5 + i / 250])
    const timed = (work: () => unknown): number => {
      const begin = performance.now()
      work()
      return performance.now() - begin
    }
    const plain = timed(() => places.map((place) => long.points.reduce((best, point) => Math.min(best, distanceM(point, place)), Infinity)))
    expect(timed(() => places.map((place) => nearest(long, place)))).toBeLessThan(plain / 2)
  })
})

describe('the profile', () => {
  it('loses no summit of a long trace', () => {
    const long: Position[] = Array.from({ length: 50_000 }, (_, i) => [2, 45 + i * 1e-5, i === 31_415 ? 3000 : 500 + (i % 7)])
    const { km, ele, maxEle } = profileSamples(measure(long), 300)
    expect([maxEle, ele.includes(3000), km.length < 1000]).toEqual([3000, true, true])
    expect(km.every((at, i) => i === 0 || at >= (km[i - 1] ?? 0))).toBe(true)
    expect(km.at(-1)).toBeCloseTo(measure(long).lengthM / 1000, 6)
  })
  it('says that there is no height rather than draw zero', () => {
    expect(
      profileSamples(
        measure([
          [2, 45],
          [2, 45.1],
        ]),
      ).maxEle,
    ).toBeNull()
  })
})

it('draws lines in the colours of the tokens', () => {
  const css = readFileSync(join(import.meta.dirname, '../../ui/theme/tokens.css'), 'utf8')
  const [light = '', dark = ''] = css.split(':root[')
  const names = {
    planned: 't-planned',
    source: 't-source',
    gap: 't-gap',
    closed: 't-closed',
    hole: 't-hole',
    casing: 't-case',
    land: 'map-land',
    primary: 'primary',
    text: 'text',
    way1: 'way-1',
    way2: 'way-2',
    way3: 'way-3',
  } as const
  for (const [scheme, block] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const read = Object.fromEntries(
      Object.entries(names).map(([key, token]) => [key, new RegExp(`--${token}: (#[0-9a-f]{6})`).exec(block)?.[1]]),
    )
    expect(read).toEqual(palettes[scheme])
  }
})
