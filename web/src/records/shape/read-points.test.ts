import { describe, expect, it } from 'vitest'
import { readPoints } from './read-points'

describe('points written one a line', () => {
  it('are read latitude first, empty lines left out', () => {
    expect(readPoints('44,9127 ; 5,3684\n\n 44.92, 5.37 \r\n')).toEqual({
      points: [
        [5.3684, 44.9127],
        [5.37, 44.92],
      ],
    })
    expect(readPoints('  ')).toEqual({ points: [] })
  })
  it('name the first line that is no place, and give none', () => {
    expect(readPoints('44,9127 ; 5,3684\nici\n95 ; 5')).toEqual({ points: [], fault: { line: 2, text: 'ici' } })
    expect(readPoints('95 ; 5')).toEqual({ points: [], fault: { line: 1, text: '95 ; 5' } })
  })
})
