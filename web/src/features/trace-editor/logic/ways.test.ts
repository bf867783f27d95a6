import { describe, expect, it } from 'vitest'
import type { Route, Position } from '@/api/types'
import { distanceM } from '@/records/map/geo'
import { measure } from '@/records/map/line'
import { routeForTests, routeLegForTests } from '../editor/testing'
import { followInstead } from './operations'
import { isClosed, lengthM, workingLine } from './revision'
import { eastward, revisionOf } from './testing'
import { alongLine, asLoop, doublesBack, isSameWay, shares, stretches, tagPlaces, take } from './ways'

const line = eastward(101)
const shifted = (by: number): Position[] => line.map(([lon, lat]) => [lon, lat + by])

describe('ways that are proposed', () => {
  it('are asked between steps that follow one another, not between two at one place', () => {
    const revision = revisionOf([['source', line]], [5000])
    expect(stretches(revision.steps).map(({ from, to }) => [from.kind, to.kind])).toEqual([
      ['departure', 'favourite'],
      ['favourite', 'arrival'],
    ])
    const loop = revisionOf([['free', [...line, ...line.toReversed().slice(1)]]])
    expect(stretches(loop.steps)).toEqual([])
  })

  it('have their tags apart, each where its line is alone', () => {
    const north = line.map(([lon, lat], index): Position => [lon, lat + (index > 60 ? 0.01 : 0)])
    const [one, two] = tagPlaces([line, north])
    expect(one && two && distanceM(one, two)).toBeGreaterThan(1000)
    expect(one?.[0]).toBeGreaterThan(line[55]?.[0] ?? 0)
    expect(tagPlaces([[]])).toEqual([null])
  })

  it('are known as the way that is taken already, whatever the corners of its line', () => {
    expect(isSameWay(routeForTests(line.filter((_, index) => index % 3 === 0 || index === 100)), measure(line))).toBe(true)
    expect(isSameWay(routeForTests(shifted(0.001)), measure(line))).toBe(false)
    expect(isSameWay(routeForTests(line.slice(0, 50)), measure(line))).toBe(false)
    expect(isSameWay(routeForTests(line), measure([]))).toBe(false)
  })

  it('take the place of their stretch alone', () => {
    const revision = revisionOf([['planned', line]], [5000])
    const way = routeForTests([line[50] ?? [0, 0], [1.58, 42.51], line[100] ?? [0, 0]])
    const taken = take(revision, { route: way, from_m: 5000, to_m: 10_000, current: false }, 'ways')
    expect(taken).toMatchObject({
      legs: followInstead(revision, 5000, 10_000, way.geometry).legs.map(({ kind, line: points }) => ({ kind, line: points })),
    })
    expect(workingLine(taken.legs).slice(0, 40)).toEqual(line.slice(0, 40))
    expect(taken.steps.map((one) => Math.round(one.at_m / 100))).toEqual([0, 50, Math.round(lengthM(taken.legs) / 100)])
  })

  it('tell a turn back at their ends', () => {
    const kept = { before: line.slice(0, 20), after: line.slice(60) }
    const spur = [line[19], line[15], [1.52, 42.51], line[64], line[60]].filter((place) => place !== undefined)
    expect(doublesBack(spur as Position[], kept.before, kept.after)).toEqual({ start: true, end: true })
    const clean: Position[] = [line[19] ?? [0, 0], [1.52, 42.51], line[60] ?? [0, 0]]
    expect(doublesBack(clean, kept.before, kept.after)).toEqual({ start: false, end: false })
  })

  it('are found along a line by places close to one another, never more than the planner takes', () => {
    expect(alongLine(measure(line))).toHaveLength(168)
    expect(alongLine(measure(line)).at(-1)?.[0]).toBeCloseTo(line[100]?.[0] ?? 0, 9)
    expect(alongLine(measure(eastward(2, 400_000)))).toHaveLength(450)
    expect(alongLine(measure([]))).toEqual([])
  })

  it('sum what lies underfoot, longest first', () => {
    expect(
      shares([
        { name: 'paved', length_m: 100 },
        { name: 'ground', length_m: 250 },
        { name: 'paved', length_m: 50 },
      ]),
    ).toEqual([
      { name: 'ground', share: 0.625 },
      { name: 'paved', share: 0.375 },
    ])
    expect(shares([])).toEqual([])
  })
})

describe('a loop', () => {
  const corners: Position[] = [
    [1.5, 42.5],
    [1.52, 42.5],
    [1.52, 42.52],
    [1.5, 42.5],
  ]
  const route: Route = routeForTests(corners, {
    legs: [routeLegForTests(corners, 0, 1), routeLegForTests(corners, 1, 2), routeLegForTests(corners, 2, 3)],
  })

  it('is the whole trace, closed, with corners that can be moved and the words its ends had', () => {
    const before = revisionOf([['source', line]], [5000])
    const [departure] = before.steps
    const named = { ...before, steps: before.steps.map((one) => (one === departure ? { ...one, id: 7, title: { fr: 'La Halle' } } : one)) }
    const loop = asLoop(named, route)
    expect(isClosed(loop)).toBe(true)
    expect(loop.legs.map((leg) => leg.kind)).toEqual(['planned', 'planned', 'planned'])
    expect(loop.steps.map((one) => one.kind)).toEqual(['departure', 'waypoint', 'waypoint', 'arrival'])
    expect(loop.steps[0]).toMatchObject({ id: 7, title: { fr: 'La Halle' }, at_m: 0, position: [1.5, 42.5] })
    expect(loop.steps.at(-1)?.at_m).toBeCloseTo(lengthM(loop.legs), 6)
  })

  it('of nothing changes nothing', () => {
    const before = revisionOf([['source', line]])
    expect(asLoop(before, routeForTests([]))).toBe(before)
  })
})
