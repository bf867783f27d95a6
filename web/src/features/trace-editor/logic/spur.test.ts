import { describe, expect, it } from 'vitest'
import { distanceM } from '@/records/map/geo'
import type { Position } from './geo'
import { lengthM, step, workingLine } from './revision'
import { newSpur, spurs, withoutSpur } from './spur'
import { eastward, revisionOf } from './testing'
import { measure } from '@/records/map/line'

const east = eastward(41, 50)
const foot = east[20] as Position
/** 200 m to the north of the middle and back. */
const aside = Array.from({ length: 5 }, (_, index): Position => [foot[0], foot[1] + ((index + 1) * 40) / 111_195])
const line = [...east.slice(0, 21), ...aside, ...aside.slice(0, -1).toReversed(), foot, ...east.slice(21)]

describe('a way there and back', () => {
  it('is found with its two ends and its tip', () => {
    const [spur, ...more] = spurs(measure(line))
    expect(more).toEqual([])
    expect(spur?.from_m).toBeCloseTo(1000, -1)
    expect(spur?.to_m).toBeCloseTo(1400, -1)
    expect(spur?.tip).toEqual(aside.at(-1))
  })

  it('is none where a line only bends, or goes on the other way round a block', () => {
    const block: Position[] = [foot, [foot[0], foot[1] + 0.0005], [foot[0] + 0.0005, foot[1] + 0.0005], [foot[0] + 0.0005, foot[1]]]
    expect(spurs(measure([...east.slice(0, 21), ...block, ...east.slice(22)]))).toEqual([])
    expect(spurs(measure(east))).toEqual([])
  })

  it('that a correction left is offered to be removed, and its steps stay on the line', () => {
    const saved = revisionOf([['source', east]], [500, 1500])
    const now = revisionOf([['planned', line]], [500, 1900])
    const spur = newSpur(now, saved)
    expect(spur).not.toBeNull()
    const without = spur ? withoutSpur(now, spur) : now
    expect(lengthM(without.legs)).toBeCloseTo(2000, -1)
    expect(spurs(measure(workingLine(without.legs)))).toEqual([])
    // The two ends that are tied together lie within eight metres.
    without.steps.forEach((one, index) => expect(Math.abs(one.at_m - ([0, 500, 1500, 2000][index] ?? 0))).toBeLessThan(10))
    for (const one of without.steps)
      expect(Math.min(...workingLine(without.legs).map((place) => distanceM(place, one.position)))).toBeLessThan(30)
  })

  it('is left alone where it was saved so, and where a step stands at its end', () => {
    const saved = revisionOf([['source', line]])
    expect(newSpur(saved, saved)).toBeNull()
    const view = { ...revisionOf([['source', line]]), steps: [step('favourite', aside.at(-1) ?? foot, 1200)] }
    expect(newSpur(view, revisionOf([['source', east]]))).toBeNull()
  })
})
