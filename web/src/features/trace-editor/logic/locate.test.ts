import { describe, expect, it } from 'vitest'
import { measure } from '@/records/map/line'
import { offsetBy, parseCoordinates, type Position } from './geo'
import { locateInOrder } from './locate'
import { eastward } from './testing'

describe('places in order along a line', () => {
  it('puts each step on its own passage of an out-and-back', () => {
    const out = eastward(101, 50)
    const back = measure([...out, ...out.toReversed().slice(1)])
    const mid = offsetBy(out[40] ?? [0, 0], 0, 3)
    const found = locateInOrder(back, [out[0] ?? [0, 0], mid, out[100] ?? [0, 0], mid, out[0] ?? [0, 0]])
    expect(found.map((one) => Math.round(one.atM / 10))).toEqual([0, 200, 500, 800, 1000])
  })

  it('gives the start and the end of a loop to its departure and arrival', () => {
    const loop = measure(
      Array.from({ length: 200 }, (_, i): Position => [
        1.5 + Math.cos((i / 199) * 2 * Math.PI) / 100,
        42.5 + Math.sin((i / 199) * 2 * Math.PI) / 100,
      ]),
    )
    const start = loop.points[0] ?? [0, 0]
    const found = locateInOrder(loop, [start, [1.49, 42.5], start])
    expect(found[0]?.atM).toBeLessThan(1)
    expect(found[2]?.atM).toBeGreaterThan(loop.lengthM - 1)
  })
})

describe('coordinates as people write them', () => {
  it.each([
    ['42.5063, 1.5218', [1.5218, 42.5063]],
    ['42,5063 1,5218', [1.5218, 42.5063]],
    ['42.5063 1.5218', [1.5218, 42.5063]],
    ['42,5063; 1,5218', [1.5218, 42.5063]],
  ])('reads %s', (text, place) => expect(parseCoordinates(text)).toEqual(place))

  it('reads degrees, minutes and seconds', () => {
    const found = parseCoordinates(`42°30'22.7"N 1°31'18.5"E`)
    expect(found?.[0]).toBeCloseTo(1.52181, 4)
    expect(found?.[1]).toBeCloseTo(42.50631, 4)
  })

  it.each(['', 'ici', '95 1', '42.5', '42 200'])('refuses « %s »', (text) => expect(parseCoordinates(text)).toBeNull())
})
