import { describe, expect, it } from 'vitest'
import type { Position } from '@/api/types'
import { distanceM } from './geo'
import { stillDoes, thin, widened } from './thin'

/** A walk of 200,000 points, one each metre and a half. */
const walk: Position[] = Array.from({ length: 200_000 }, (_, at): Position => [
  3 + at * 1.5e-5 + Math.sin(at / 50) * 1e-4,
  45 + Math.sin(at / 900) * 0.01,
  at,
])
const whole = { bbox: [2, 44, 8, 46] as const satisfies readonly number[], mPerPixel: 400 }

describe('a very long line on the screen', () => {
  it('keeps its ends and no more than a screen can show', () => {
    const drawn = thin(walk, { ...whole, bbox: [...whole.bbox] })
    expect(drawn[0]).toBe(walk[0])
    expect(drawn.at(-1)).toBe(walk.at(-1))
    expect(drawn.length).toBeLessThan(2000)
  })

  it('is fine where one looks, and only a course beyond', () => {
    const here: [number, number, number, number] = [3.5, 44.9, 3.55, 45.1]
    const drawn = thin(walk, { bbox: here, mPerPixel: 2 })
    const inside = (place: Position) => place[0] >= here[0] && place[0] <= here[2]
    expect(drawn.filter(inside).length).toBeGreaterThan(walk.filter(inside).length / 4)
    expect(drawn.filter((place) => !inside(place)).length).toBeLessThan(3000)
    const steps = drawn.slice(1).map((place, at) => distanceM(drawn[at] ?? place, place))
    expect(Math.max(...steps)).toBeLessThan(1000)
  })

  it('of a scribble is thinned until it fits', () => {
    const scribble = Array.from({ length: 200_000 }, (_, at): Position => [3 + Math.sin(at) * 0.1, 45 + Math.cos(at * 1.7) * 0.1])
    expect(thin(scribble, null).length).toBeLessThanOrEqual(30_000)
  })

  it('is not touched when it is short', () => {
    const short = walk.slice(0, 500)
    expect(thin(short, null)).toBe(short)
  })

  it('is asked for again only when one looks nearer or elsewhere', () => {
    const view = widened({ bbox: [3, 45, 3.1, 45.1], mPerPixel: 10 })
    expect(stillDoes(view, { bbox: [3.05, 45.05, 3.15, 45.15], mPerPixel: 10 })).toBe(true)
    expect(stillDoes(view, { bbox: [3.05, 45.05, 3.15, 45.15], mPerPixel: 4 })).toBe(false)
    expect(stillDoes(view, { bbox: [3.15, 45.15, 3.25, 45.25], mPerPixel: 10 })).toBe(false)
  })
})
