import { describe, expect, it } from 'vitest'
import { cropOf, ratioOf, ratios } from './crop'

describe('a cut round the focal point', () => {
  it.each([1.5, 0.75, 3])('has its ratio and stays inside an image of shape %s', (shape) => {
    for (const ratio of ratios.slice(1)) {
      for (const focal of [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
        { x: 0.3, y: 0.8 },
      ]) {
        const crop = cropOf(ratio, shape, focal)
        if (crop === null) throw new Error('no crop')
        expect(Math.min(crop.x, crop.y)).toBeGreaterThanOrEqual(0)
        expect(Math.max(crop.x + crop.w, crop.y + crop.h)).toBeLessThanOrEqual(1.0001)
        expect(ratioOf(crop, shape)).toBe(ratio)
      }
    }
  })
  it('is none for the whole image', () => {
    expect(cropOf('whole', 1.5, { x: 0.5, y: 0.5 })).toBeNull()
    expect(ratioOf(null, 1.5)).toBe('whole')
  })
})
