import { beforeAll, describe, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { readPoint, writePoint } from './point'

beforeAll(() => startTexts('fr', ['common']))

describe('a place that is typed', () => {
  it.each([
    ['44,9127 ; 5,3684', [5.3684, 44.9127]],
    ['44.9127, 5.3684', [5.3684, 44.9127]],
    ['44.9127 5.3684', [5.3684, 44.9127]],
    ['-21,1 ; -175,2', [-175.2, -21.1]],
  ])('reads %s', (text, place) => expect(readPoint(text)).toEqual(place))
  it.each(['ici', '91 ; 0', '44,9127', '0 ; 181', '44 ; 5 ; 6'])('does not take %s for a place', (text) => expect(readPoint(text)).toBeUndefined())
  it('is nothing when empty, and reads what it writes', () => {
    expect(readPoint('  ')).toBeNull()
    expect(readPoint(writePoint([5.3684, -44.9127]))).toEqual([5.3684, -44.9127])
  })
})
