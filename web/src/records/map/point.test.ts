// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { isSwapped, readPoint, writePoint } from './point'

beforeAll(() => startTexts('fr', ['common']))

describe('a place that is typed', () => {
  it.each([
    ['44,9127 ; 5,3684', [5.3684, 44.9127]],
    ['44.9127, 5.3684', [5.3684, 44.9127]],
    ['44.9127 5.3684', [5.3684, 44.9127]],
    ['-21,1 ; -175,2', [-175.2, -21.1]],
  ])('reads %s', (text, place) => expect(readPoint(text)).toEqual(place))
  it.each(['ici', '91 ; 0', '44,9127', '0 ; 181', '44 ; 5 ; 6'])('does not take %s for a place', (text) =>
    expect(readPoint(text)).toBeUndefined(),
  )
  it('is swapped where it is outside the region and its two numbers the other way round are inside', () => {
    const region = [4, 44, 6, 46]
    expect([
      isSwapped([44.9, 5.3], region),
      isSwapped([5.3, 44.9], region),
      isSwapped([2.3, 48.8], region),
      isSwapped([44.9, 5.3], null),
    ]).toEqual([true, false, false, false])
  })
  it('is nothing when empty, and reads what it writes', () => {
    expect(readPoint('  ')).toBeNull()
    expect(writePoint([5.3684, 44.9127])).toBe('44,9127\u202f; 5,3684')
    expect(readPoint(writePoint([5.3684, -44.9127]))).toEqual([5.3684, -44.9127])
  })
})
