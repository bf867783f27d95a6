import { describe, expect, it } from 'vitest'
import type { LngLat } from '@/api/types'
import { nudged } from './nudge'
import { between, inserted, lengthOf, moved, outline, without } from './shape'

const square: LngLat[] = [
  [3, 45],
  [3.01, 45],
  [3.01, 45.01],
  [3, 45.01],
]

describe('a shape drawn on a map', () => {
  it('closes an area and leaves a line open', () => {
    expect(outline(square, 'area')).toEqual([...square, square[0]])
    expect(outline(square, 'line')).toEqual(square)
    expect(outline(square.slice(0, 2), 'area')).toHaveLength(2)
  })
  it('takes a point between two others; after the last one of an area comes the first', () => {
    expect(between(square, 0, 'line')).toEqual([3.005, 45])
    expect(between(square, 3, 'line')).toBeUndefined()
    expect(between(square, 3, 'area')?.[1]).toBeCloseTo(45.005, 9)
    expect(inserted(square, 1, [3.005, 45])[1]).toEqual([3.005, 45])
  })
  it('moves and drops a point, and leaves the others', () => {
    expect(moved(square, 2, [3.02, 45.02])).toEqual([square[0], square[1], [3.02, 45.02], square[3]])
    expect(without(square, 0)).toEqual(square.slice(1))
  })
  it('measures along a line and around an area', () => {
    expect(lengthOf(square, 'line')).toBeCloseTo(2685, -1)
    expect(lengthOf(square, 'area')).toBeCloseTo(3797, -1)
  })
  it('goes ten metres with an arrow, a hundred with Maj, nowhere with another key', () => {
    expect(nudged([3, 45], 'ArrowUp', false)).toEqual([3, 45.00009])
    expect(nudged([3, 45], 'ArrowRight', true)?.[0]).toBeCloseTo(3.00127, 5)
    expect(nudged([3, 45], 'a', false)).toBeUndefined()
  })
})
