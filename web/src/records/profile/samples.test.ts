import { expect, it } from 'vitest'
import type { Position } from '@/api/types'
import { measure } from '@/records/map/line'
import { profileSamples, slopePercent, steepestKilometre } from './samples'

/** One kilometre north, up 80 m to its middle and down again, a point each ten metres. */
const hill = measure(Array.from({ length: 101 }, (_, at): Position => [3, 45 + (at * 10) / 111_195, 500 + 80 - Math.abs(at - 50) * 1.6]))

it('tells the slope in the direction of walking, and none where no height is known', () => {
  expect(slopePercent(hill, 250)).toBeCloseTo(16, 0)
  expect(slopePercent(hill, 750)).toBeCloseTo(-16, 0)
  expect(slopePercent(hill, 0)).toBeCloseTo(16, 0)
  expect(
    slopePercent(
      measure([
        [3, 45],
        [3, 45.01],
      ]),
      400,
    ),
  ).toBeNull()
})

it('keeps the summit of a long line', () => {
  expect(Math.max(...profileSamples(hill, 7).ele.map((height) => height ?? 0))).toBe(580)
})

it('finds the steepest kilometre, and none on a short line or without heights', () => {
  // Three kilometres: level, up 100 m, level.
  const step = measure(
    Array.from({ length: 301 }, (_, at): Position => [3, 45 + (at * 10) / 111_195, 500 + Math.min(100, Math.max(0, at - 100))]),
  )
  const found = steepestKilometre(step)
  expect(found?.percent).toBeCloseTo(10, 0)
  expect(found?.fromM).toBeCloseTo(1000, -2)
  expect(
    steepestKilometre(
      measure([
        [3, 45, 1],
        [3, 45.001, 9],
      ]),
    ),
  ).toBeNull()
  expect(
    steepestKilometre(
      measure([
        [3, 45],
        [3, 45.1],
      ]),
    ),
  ).toBeNull()
})
