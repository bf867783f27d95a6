import { describe, expect, it } from 'vitest'
import type { LngLat } from '@/api/types'
import { groupPoints } from './group-points'

const points = (...places: LngLat[]) => places.map((at, id) => ({ id, at }))

describe('points on a map', () => {
  it('that cannot be pressed apart are one, with the box that holds them', () => {
    const groups = groupPoints(points([6, 45], [6.001, 45.001], [6.5, 45]), 9, 30)
    expect(groups.map((group) => group.points.map(({ id }) => id))).toEqual([[0, 1], [2]])
    expect(groups[0]?.bbox).toEqual([6, 45, 6.001, 45.001])
  })

  it('part when one looks nearer, and those of one place never do', () => {
    expect(groupPoints(points([6, 45], [6.001, 45.001]), 15, 30)).toHaveLength(2)
    expect(groupPoints(points([6, 45], [6, 45]), 22, 30)).toHaveLength(1)
  })
})
