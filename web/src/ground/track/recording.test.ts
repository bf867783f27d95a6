import { describe, expect, it } from 'vitest'
import type { LngLat } from '@/api/types'
import { lengthOf, MAX_POINTS, pointAfter } from './recording'

/** Metres to the east of a place at 47° north. */
const at = (eastM: number): LngLat => [4 + eastM / (111_195 * Math.cos((47 * Math.PI) / 180)), 47]

describe('a recorded way', () => {
  it('gets a point each five metres, from positions that are accurate enough', () => {
    const points: LngLat[] = []
    // One position a second at 4 km/h; one of them says that it is 50 m wrong.
    for (let second = 0; second < 100; second++) {
      const point = pointAfter(points, { position: at(second * 1.1), accuracyM: second === 50 ? 50 : 8 })
      if (point !== null) points.push(point)
    }
    // One each five seconds; the one at 50 s came a second later.
    expect(points).toHaveLength(20)
    expect(lengthOf(points)).toBeCloseTo(96 * 1.1, 0)
  })

  it('has no more points than the server takes', () => {
    const full = Array.from({ length: MAX_POINTS }, (_, index) => at(index * 10))
    expect(pointAfter(full, { position: at(999_999), accuracyM: 5 })).toBeNull()
    expect(pointAfter(full.slice(1), { position: at(999_999), accuracyM: 5 })).not.toBeNull()
  })
})
