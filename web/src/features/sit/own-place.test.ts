import { expect, it } from 'vitest'
import { changedPlace, wholePlace } from './own-place'

const theirs = [4.1, 47.2]

it('brings the other figure of the source along, and keeps ours when one is emptied', () => {
  expect(changedPlace(undefined, theirs, 1, 47.3)).toEqual([4.1, 47.3])
  expect(changedPlace(undefined, null, 1, 47.3)).toEqual([null, 47.3])
  expect(changedPlace([4.5, 47.3], theirs, 1, null)).toEqual([4.5, null])
  expect(changedPlace([4.5, null], theirs, 0, null)).toBeNull()
})

it('saves the figure of the source where ours is empty', () => {
  expect(wholePlace([4.5, null], theirs)).toEqual([4.5, 47.2])
  expect(wholePlace([null, 47.3], null)).toEqual([null, 47.3])
})
