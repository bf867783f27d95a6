import { describe, expect, it } from 'vitest'
import { distanceM, offsetBy, parseCoordinates, type Position } from './geo'
import { locateInOrder } from './locate'
import { measure, nearest, pointAt, slice } from './measure'
import { eastward } from './testing'

describe('a measured line', () => {
  const line = measure(eastward(401, 25))

  it('knows its length and each place along it', () => {
    expect(line.length_m).toBeCloseTo(10_000, 0)
    expect(distanceM(pointAt(line, 0) ?? [0, 0], pointAt(line, 3333) ?? [0, 0])).toBeCloseTo(3333, 0)
    expect(pointAt(line, 99_999)).toEqual(line.line.at(-1))
    expect(pointAt(measure([]), 3)).toBeNull()
  })

  it('finds the nearest place, as a plain look at every segment does', () => {
    const wavy = measure(Array.from({ length: 2000 }, (_, i): Position => [1.5 + Math.sin(i / 50) / 100, 42.5 + i / 20_000]))
    for (let i = 0; i < 50; i += 1) {
      const target: Position = [1.49 + (i % 7) / 300, 42.5 + i / 520]
      let best = Infinity
      for (let at = 0; at < wavy.length_m; at += 5) best = Math.min(best, distanceM(pointAt(wavy, at) ?? [0, 0], target))
      expect(nearest(wavy, target)?.off_m).toBeLessThan(best + 1)
      expect(nearest(wavy, target)?.off_m).toBeGreaterThan(best - 6)
    }
  })

  it('looks only inside the reach', () => {
    const far = offsetBy(line.line[0] ?? [0, 0], 5000, 40)
    expect(nearest(line, far)?.at_m).toBeCloseTo(5000, 0)
    expect(nearest(line, far, { from_m: 6000 })?.at_m).toBeCloseTo(6000, 0)
    expect(nearest(line, far, { to_m: 4000 })?.at_m).toBeCloseTo(4000, 0)
    expect(nearest(line, far, { within_m: 30 })).toBeNull()
  })

  it('cuts out a part with exact ends', () => {
    const part = measure(slice(line, 110, 990))
    expect(part.length_m).toBeCloseTo(880, 1)
    expect(part.line).toHaveLength(37)
  })

  it('searches a long line by boxes: far less work than a look at every point', () => {
    const long = measure(Array.from({ length: 200_000 }, (_, i): Position => [1.5 + Math.sin(i / 900) / 20, 42.5 + i / 800_000]))
    const places = Array.from({ length: 60 }, (_, i): Position => [1.5 + (i % 40) / 1000, 42.5 + i / 250])
    const timed = (work: () => unknown): number => {
      const begin = performance.now()
      work()
      return performance.now() - begin
    }
    const plain = timed(() => places.map((place) => long.line.reduce((best, point) => Math.min(best, distanceM(point, place)), Infinity)))
    expect(timed(() => places.map((place) => nearest(long, place)))).toBeLessThan(plain / 2)
  })
})

describe('places in order along a line', () => {
  it('puts each step on its own passage of an out-and-back', () => {
    const out = eastward(101, 50)
    const back = measure([...out, ...out.toReversed().slice(1)])
    const mid = offsetBy(out[40] ?? [0, 0], 0, 3)
    const found = locateInOrder(back, [out[0] ?? [0, 0], mid, out[100] ?? [0, 0], mid, out[0] ?? [0, 0]])
    expect(found.map((one) => Math.round(one.at_m / 10))).toEqual([0, 200, 500, 800, 1000])
  })

  it('gives the start and the end of a loop to its departure and arrival', () => {
    const loop = measure(Array.from({ length: 200 }, (_, i): Position => [1.5 + Math.cos((i / 199) * 2 * Math.PI) / 100, 42.5 + Math.sin((i / 199) * 2 * Math.PI) / 100]))
    const start = loop.line[0] ?? [0, 0]
    const found = locateInOrder(loop, [start, [1.49, 42.5], start])
    expect(found[0]?.at_m).toBeLessThan(1)
    expect(found[2]?.at_m).toBeGreaterThan(loop.length_m - 1)
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
