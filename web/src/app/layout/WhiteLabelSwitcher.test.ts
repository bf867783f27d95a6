// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { readableOn } from './WhiteLabelSwitcher'

it.each([
  ['#000000', '#fff'],
  ['#14507a', '#fff'],
  ['#f2c230', '#000'],
  ['#ffffff', '#000'],
  ['not a colour', '#fff'],
])('on %s initials are %s', (color, ink) => {
  expect(readableOn(color)).toBe(ink)
})
