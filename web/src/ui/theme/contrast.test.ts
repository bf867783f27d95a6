import { describe, expect, it } from 'vitest'
import { contrast, darkerFor, lighterFor, textOn } from './contrast'

describe('the contrast of colours', () => {
  it('is 21 for black on white, 1 for a colour on itself, and unknown for words', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
    expect(contrast('#14507A', '#14507A')).toBe(1)
    expect(contrast('rouge', '#FFFFFF')).toBeNull()
  })
  it('chooses the text on a colour as the public page does', () => {
    expect(['#14507A', '#F6C445', '#FFFFFF'].map(textOn)).toEqual(['#FFFFFF', '#000000', '#000000'])
  })
  it('proposes a darker tone of the same hue that is seen on white, and leaves a good one as it is', () => {
    const tone = darkerFor('#E07A2F', ['#FFFFFF'], 4.5)
    expect(contrast(tone ?? '', '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tone ?? '', '#FFFFFF')).toBeLessThan(4.9)
    expect(darkerFor('#14507A', ['#FFFFFF'], 4.5)).toBe('#14507A')
  })
  it('proposes a lighter tone on which texts can be read, and leaves a good one as it is', () => {
    const tone = lighterFor('#1B2A41', ['#4A564F', '#0B5F50'], 4.5) ?? ''
    expect(contrast(tone, '#4A564F')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tone, '#0B5F50')).toBeGreaterThanOrEqual(4.5)
    expect(tone).not.toBe('#FFFFFF')
    expect(lighterFor('#F4EFE3', ['#4A564F', '#0B5F50'], 4.5)).toBe('#F4EFE3')
  })
})
