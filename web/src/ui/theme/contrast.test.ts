import { describe, expect, it } from 'vitest'
import { contrast, darkerForWhite } from './contrast'

describe('the contrast of colours', () => {
  it('is 21 for black on white, 1 for a colour on itself, and unknown for words', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
    expect(contrast('#14507A', '#14507A')).toBe(1)
    expect(contrast('rouge', '#FFFFFF')).toBeNull()
  })
  it('proposes a darker tone of the same hue that white reads on, and leaves a good one as it is', () => {
    const tone = darkerForWhite('#E07A2F')
    expect(contrast(tone ?? '', '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tone ?? '', '#FFFFFF')).toBeLessThan(4.9)
    expect(darkerForWhite('#14507A')).toBe('#14507A')
  })
})
