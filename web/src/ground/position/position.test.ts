import { describe, expect, it } from 'vitest'
import type { Position, Step } from '@/api/types'
import { measure } from '@/records/map/line'
import { afterFix, quiet } from './alarm'
import { circleAround, locate, nextStep } from './follow'

/** Metres to degrees near 47° north. */
const at = (eastM: number, northM: number): Position => [4 + eastM / (111_195 * Math.cos((47 * Math.PI) / 180)), 47 + northM / 111_195]
const place = (eastM: number, northM: number): [number, number] => {
  const [lon, lat] = at(eastM, northM)
  return [lon, lat]
}
const fix = (eastM: number, northM: number, accuracyM = 8) => ({ position: place(eastM, northM), accuracyM })

describe('a position on the line', () => {
  it('is the nearest place, with its distance', () => {
    const found = locate(measure([at(0, 0), at(1000, 0)]), fix(400, 25), null)
    expect(found?.atM).toBeCloseTo(400, 0)
    expect(found?.offsetM).toBeCloseTo(25, 0)
  })

  it('stays on the way out where the way back is beside it', () => {
    const thereAndBack = measure([at(0, 0), at(5000, 0), at(5000, 10), at(0, 10)])
    expect(locate(thereAndBack, fix(2000, 9), { atM: 1950, offsetM: 0 })?.atM).toBeCloseTo(2000, 0)
    expect(locate(thereAndBack, fix(2000, 1), { atM: 7950, offsetM: 0 })?.atM).toBeCloseTo(8010, 0)
  })

  it('is found anew after a jump, and is nothing without a line', () => {
    const line = measure([at(0, 0), at(9000, 0)])
    expect(locate(line, fix(8000, 5), { atM: 100, offsetM: 0 })?.atM).toBeCloseTo(8000, 0)
    expect(locate(measure([]), fix(0, 0), null)).toBeNull()
  })
})

const step = (id: number, at_m: number | null): Step => ({
  id,
  at_m,
  kind: 'step',
  title: {},
  description: {},
  position: [4, 47],
  nights: null,
  practice_type_id: null,
  distance_to_next_m: null,
  distance_to_next_typed_m: null,
  duration_to_next_s: null,
  duration_to_next_typed_s: null,
})

it('the next step is the first one ahead that is not just being passed', () => {
  const steps = [step(3, 900), step(1, 0), step(2, 500), step(4, null)]
  expect(nextStep(steps, 490)).toMatchObject({ step: { id: 3 }, inM: 410 })
  expect(nextStep(steps, 100)).toMatchObject({ step: { id: 2 }, inM: 400 })
  expect(nextStep(steps, 890)).toBeNull()
})

it('the circle of the accuracy has its radius', () => {
  const north = circleAround(place(0, 0), 30)[12]
  expect(north?.[1]).toBeCloseTo(at(0, 30)[1], 6)
})

describe('the alarm off the line', () => {
  /** The seconds at which it rings. */
  function rings(fixes: [seconds: number, offsetM: number, accuracyM?: number][]): number[] {
    let alarm = quiet
    return fixes.flatMap(([seconds, offsetM, accuracyM = 8]) => {
      const after = afterFix(alarm, { offsetM, accuracyM, at: seconds * 1000 })
      alarm = after.alarm
      return after.rings ? [seconds] : []
    })
  }

  it('rings after 20 s beyond 40 m, and each minute as long as one stays off', () => {
    expect(
      rings([
        [0, 45],
        [10, 60],
        [19, 60],
        [20, 60],
        [50, 90],
        [79, 90],
        [80, 90],
      ]),
    ).toEqual([20, 80])
  })
  it('is silent at 40 m, and for a short way off', () => {
    expect(
      rings([
        [0, 40],
        [60, 40],
      ]),
    ).toEqual([])
    expect(
      rings([
        [0, 50],
        [15, 20],
        [30, 50],
        [45, 50],
      ]),
    ).toEqual([])
  })
  it('does not begin anew at each step along the edge', () => {
    expect(
      rings([
        [0, 45],
        [10, 38],
        [20, 45],
      ]),
    ).toEqual([20])
  })
  it('does not trust a position that is less accurate than its distance', () => {
    expect(
      rings([
        [0, 80, 150],
        [30, 80, 150],
      ]),
    ).toEqual([])
    expect(
      rings([
        [0, 80, 150],
        [30, 80, 20],
        [45, 80, 20],
        [50, 80, 20],
      ]),
    ).toEqual([50])
  })
})
