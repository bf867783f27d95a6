import { expect, it } from 'vitest'
import { fittingZoom, tilesAlong, tilesToKeep } from './tiles'

const loop = [
  [3.0, 44.9],
  [3.05, 44.93],
  [3.1, 44.9],
  [3.0, 44.9],
]

it('a place lies in the tile that every slippy map says', () => {
  // Paris, as in the OpenStreetMap wiki's example of tile names.
  expect(tilesAlong([[2.3522, 48.8566]], 12, 0)).toEqual([{ z: 12, x: 2074, y: 1409 }])
})

it('a long straight stretch leaves no gap', () => {
  const columns = tilesAlong(
    [
      [0.1, 45],
      [9.9, 45],
    ],
    9,
    0,
  ).map((tile) => tile.x)
  expect(columns).toEqual(Array.from({ length: columns.length }, (_, index) => (columns[0] ?? 0) + index))
  expect(columns.length).toBe(15)
})

it('the edge of the world is the end', () => {
  expect(tilesAlong([[-180, 85]], 1, 1).every(({ x, y }) => x >= 0 && y >= 0)).toBe(true)
  expect(tilesAlong([[179.99, -85]], 2, 1).every(({ x, y }) => x <= 3 && y <= 3)).toBe(true)
})

it('the least deep come first, and a bound cuts the finest alone', () => {
  const all = tilesToKeep(loop, [0, 14], 10_000)
  expect(all[0]?.z).toBe(fittingZoom(loop) - 2)
  expect(all.at(-1)?.z).toBe(14)
  const bounded = tilesToKeep(loop, [0, 14], all.filter(({ z }) => z < 14).length + 1)
  expect(bounded.at(-1)?.z).toBe(13)
  expect(tilesToKeep([], [0, 14], 100)).toEqual([])
})

it('a single place and a line around the world are kept too', () => {
  expect(
    tilesToKeep(
      [
        [3, 45],
        [3, 45],
      ],
      [4, 14],
      500,
    ).map(({ z }) => z),
  ).toContain(14)
  expect(
    tilesToKeep(
      [
        [-179, 0],
        [179, 0],
      ],
      [0, 14],
      500,
    ).length,
  ).toBeLessThanOrEqual(500)
})
