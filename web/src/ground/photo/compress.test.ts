import { expect, it } from 'vitest'
import { fitting } from './compress'

it('the longest side is 2560 pixels at most, and the shape is kept', () => {
  expect(fitting(8000, 6000)).toEqual({ width: 2560, height: 1920 })
  expect(fitting(3000, 4000)).toEqual({ width: 1920, height: 2560 })
  expect(fitting(20_000, 3)).toEqual({ width: 2560, height: 1 })
})

it('a small photo is not made larger', () => {
  expect(fitting(640, 480)).toEqual({ width: 640, height: 480 })
  expect(fitting(2560, 2560)).toEqual({ width: 2560, height: 2560 })
})
