import { describe, expect, it } from 'vitest'
import { cameraOf, roomOf } from './camera'

const size = { width: 800, height: 400 }

describe('the view of a map before there is a map', () => {
  it('shows the whole world on a square of 512 pixels at zoom 0', () => {
    const camera = cameraOf([-180, -85.0511287798, 180, 85.0511287798], { width: 512, height: 512 }, 0, 22)
    expect(camera?.zoom).toBeCloseTo(0, 6)
    expect(camera?.project([0, 0])).toEqual([256, 256])
  })

  it('puts the box in the middle of what the padding leaves', () => {
    const camera = cameraOf([5, 45, 5.2, 45.01], size, { top: 70, right: 366, bottom: 70, left: 80 }, 16)
    const [left, top] = camera?.project([5, 45.01]) ?? []
    const [right, bottom] = camera?.project([5.2, 45]) ?? []
    expect(left).toBeCloseTo(80, 6)
    expect(right).toBeCloseTo(800 - 366, 6)
    expect(((top ?? 0) + (bottom ?? 0)) / 2).toBeCloseTo(200, 6)
  })

  it('keeps the end of a line clear of the controls, which a still map has not', () => {
    const eastOf = (still: boolean) => cameraOf([5, 45, 5.2, 45.01], size, roomOf(still), 16)?.project([5.2, 45.01])[0]
    expect(eastOf(false)).toBeLessThan(800 - 52 - 13)
    expect(eastOf(true)).toBeCloseTo(800 - 40, 6)
  })

  it('is not nearer than the nearest zoom, and says what it shows', () => {
    const camera = cameraOf([5, 45, 5, 45], size, 40, 16)
    expect(camera?.zoom).toBe(16)
    expect(camera?.project([5, 45])).toEqual([400, 200])
    const [west = 0, south = 0, east = 0, north = 0] = camera?.bbox ?? []
    expect(camera?.project([west, north]).map(Math.round)).toEqual([0, 0])
    expect(camera?.project([east, south]).map(Math.round)).toEqual([800, 400])
  })

  it('is nothing where the padding leaves nothing', () => expect(cameraOf([5, 45, 6, 46], { width: 60, height: 200 }, 40, 16)).toBeNull())
})
