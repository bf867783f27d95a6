import { expect, it } from 'vitest'
import { spread, spreads } from './spreads'

it('opens a booklet on its cover, then on two pages at a time', () => {
  expect([spread(0, true), spread(1, true), spread(4, true), spread(4, false)]).toEqual([[1], [2, 3], [8, 9], [5]])
  expect([spreads(20, true), spreads(21, true), spreads(1, true), spreads(3, false)]).toEqual([11, 11, 1, 3])
})
