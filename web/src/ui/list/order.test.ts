import { expect, it } from 'vitest'
import { moved } from './order'

it('moves one up or down, and nothing to where there is no place', () => {
  expect([moved(['a', 'b', 'c'], 0, 2), moved(['a', 'b', 'c'], 2, 0), moved(['a', 'b'], 1, 1)]).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['a', 'b'],
  ])
  expect([moved(['a'], 5, 0), moved(['a', 'b'], 0, 2), moved(['a', 'b'], 1, -1)]).toEqual([['a'], ['a', 'b'], ['a', 'b']])
})
