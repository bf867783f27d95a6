import { describe, expect, it } from 'vitest'
import type { Position } from './geo'
import { compared, replaced } from './replace'
import { lengthM, step } from './revision'
import { eastward, revisionOf } from './testing'

const north = (line: Position[], degrees: number): Position[] => line.map(([lon, lat]): Position => [lon, lat + degrees])
const source = { revision: null, sha256: null, line: null, file: null }

describe('another line', () => {
  const revision = revisionOf([['source', eastward(101)]], [2000, 5000, 8000])
  // About 33 m, 330 m and 3 km to the north of what was there.
  const [fits, moves, lost] = [0.0003, 0.003, 0.03].map((degrees) => north(eastward(101), degrees))

  it('tells which steps fit, move, or no longer fit', () => {
    expect(compared(revision.steps, fits ?? []).map(({ how, fates }) => [how, fates[0]])).toEqual([
      ['end', undefined],
      ['fits', undefined],
      ['fits', undefined],
      ['fits', undefined],
      ['end', undefined],
    ])
    expect(compared(revision.steps, moves ?? []).map(({ how, fates }) => [how, fates[0]])).toEqual([
      ['end', 'keepName'],
      ['moves', 'move'],
      ['moves', 'move'],
      ['moves', 'move'],
      ['end', 'keepName'],
    ])
    expect(compared(revision.steps, lost ?? []).map(({ how, fates }) => [how, fates[0]])).toEqual([
      ['end', 'noName'],
      ['lost', 'beside'],
      ['lost', 'beside'],
      ['lost', 'beside'],
      ['end', 'noName'],
    ])
  })

  it('takes departure and arrival with it and puts each step where it was chosen, in the order of the line', () => {
    const line = moves ?? []
    const [, first, second, third] = revision.steps
    const next = replaced(
      revision,
      source,
      line,
      new Map([
        [first?.key ?? 0, 'beside'],
        [second?.key ?? 0, 'remove'],
      ]),
    )
    expect(next.steps.map((one) => one.key)).toEqual([revision.steps[0]?.key, first?.key, third?.key, revision.steps[4]?.key])
    expect(next.steps[0]?.position).toEqual(line[0])
    expect(next.steps[3]?.position).toEqual(line.at(-1))
    expect(next.steps[3]?.at_m).toBeCloseTo(lengthM(next.legs), 3)
    expect(next.steps[1]?.position).toEqual(first?.position)
    expect(next.steps[2]?.position[1]).toBeCloseTo(42.503, 4)
    for (const [index, one] of next.steps.entries()) expect(one.at_m).toBeGreaterThanOrEqual(next.steps[index - 1]?.at_m ?? 0)
  })

  it('the other way round keeps its steps in the order they are met', () => {
    const next = replaced(revision, source, eastward(101).toReversed(), new Map())
    expect(next.steps.map((one) => Math.round(one.at_m))).toEqual([0, 2000, 5000, 8000, 10000])
    expect(next.steps[1]?.key).toBe(revision.steps[3]?.key)
  })

  it('makes the steps of a file where there are none', () => {
    const line = eastward(101)
    const place = (metres: number): Position => line[metres / 100] ?? [0, 0]
    const waypoints = [
      { position: place(7000), name: 'Le col', description: null },
      { position: place(3000), name: 'La source', description: 'Eau potable' },
      { position: [3, 45] as Position, name: 'Ailleurs', description: null },
    ]
    const next = replaced({ ...revision, legs: [], steps: [] }, source, line, new Map(), waypoints)
    expect(next.steps.map((one) => [one.kind, one.title['fr'] ?? ''])).toEqual([
      ['departure', ''],
      ['waypoint', 'La source'],
      ['waypoint', 'Le col'],
      ['arrival', ''],
    ])
    expect(step('waypoint', place(0), 0).line_ids).toEqual([])
  })
})
