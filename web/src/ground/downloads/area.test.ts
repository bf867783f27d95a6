import { expect, it } from 'vitest'
import { tilesInBox } from '@/offline/tiles'
import { boxAround, boxOf, isIn } from './area'

it('is a square on the ground, not in degrees', () => {
  const [west, south, east, north] = boxAround([1.6, 60], 5000)
  expect(north - south).toBeCloseTo(0.0899, 3)
  expect(east - west).toBeCloseTo(2 * (north - south), 2)
  expect(isIn([west, south, east, north], [1.6, 60])).toBe(true)
  expect(isIn([west, south, east, north], [1.6, 60.05])).toBe(false)
})

it('is the box of all places, of none there is none', () => {
  expect(
    boxOf([
      [1.5, 42.4, 900],
      [1.7, 42.3],
    ]),
  ).toEqual([1.5, 42.3, 1.7, 42.4])
  expect(boxOf([])).toBeNull()
})

it('keeps whole zooms of a box, and as many of them as are allowed', () => {
  const box = boxAround([1.6, 42.5], 5000)
  const deepest = (most: number) => tilesInBox(box, [0, 14], most).at(-1)?.z
  expect(deepest(4000)).toBe(14)
  expect(deepest(20)).toBeLessThan(14)
  const tiles = tilesInBox(box, [0, 14], 4000)
  expect(new Set(tiles.map(({ z, x, y }) => `${z}/${x}/${y}`)).size).toBe(tiles.length)
  // 10 km are some six tiles of 1.8 km, and half a tile around them.
  expect(tiles.filter(({ z }) => z === 14).length).toBeGreaterThanOrEqual(36)
  expect(tiles.filter(({ z }) => z === 14).length).toBeLessThanOrEqual(81)
})
