import { describe, expect, it } from 'vitest'
import type { LngLat } from '@/api/types'
import { nothingDrawn, PIECE, piecesAfter } from './pieces'
import { MAX_POINTS } from './recording'

const way = (count: number, lat = 47): LngLat[] => Array.from({ length: count }, (_, index) => [4 + index / 10_000, lat])

/** A map that is given a way after the other. */
function aMap() {
  const map = { drawn: nothingDrawn, finished: [] as LngLat[][], rest: [] as LngLat[], given: 0 }
  const draw = (points: readonly LngLat[]) => {
    const { isOther, finished, rest, drawn } = piecesAfter(map.drawn, points)
    map.finished = [...(isOther ? [] : map.finished), ...finished]
    map.given = [...finished, rest].reduce((sum, one) => sum + one.length, 0)
    Object.assign(map, { rest, drawn })
  }
  /** The line as it is seen: no piece begins elsewhere than the one before ends. */
  const line = () => [...map.finished, map.rest].flatMap((one, index) => (index === 0 ? one : one.slice(1)))
  return { map, draw, line }
}

describe('the pieces of a recorded way', () => {
  it('are the whole way at each point, and the work for a point does not grow with the way', () => {
    const { map, draw, line } = aMap()
    const points: LngLat[] = []
    let most = 0
    for (const [index, point] of way(MAX_POINTS).entries()) {
      points.push(point)
      draw(points)
      most = Math.max(most, map.given)
      if (index % PIECE < 3 || points.length === MAX_POINTS) expect(line()).toEqual(points)
    }
    expect(most).toBeLessThanOrEqual(PIECE + 2)
    expect(map.finished).toHaveLength(39)
  })

  it('are all given at once to a page that opens again', () => {
    const { map, draw, line } = aMap()
    draw(way(1234))
    expect([map.finished.length, map.rest.length]).toEqual([2, 234])
    expect(line()).toEqual(way(1234))
  })

  it('begin anew with another way, and are none after the end', () => {
    const { draw, line } = aMap()
    draw(way(1234))
    draw([])
    expect(line()).toEqual([])
    draw(way(1300))
    // As long as the one before, and elsewhere.
    draw(way(1300, 48))
    expect(line()).toEqual(way(1300, 48))
    draw(way(2))
    expect(line()).toEqual(way(2))
  })

  it('stay where the same points are read anew from the device', () => {
    const { map, draw } = aMap()
    draw(way(1001))
    draw(way(1002))
    expect(map.given).toBe(2)
  })
})
