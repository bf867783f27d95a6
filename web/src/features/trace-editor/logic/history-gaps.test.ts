import { describe, expect, it } from 'vitest'
import { pack, unpack } from './draft'
import { type Gap, type Reliability, isKept, letter, lettered, notJudged, percentWith, shortestWay } from './gaps'
import { amend, begin, canRedo, canUndo, drop, push, redo, undo } from './history'
import { keepAsRecorded, moveStep, reverse } from './operations'
import { newKey } from './revision'
import { eastward, revisionOf } from './testing'

function gap(fromM: number, lengthM: number, more: Partial<Gap> = {}): Gap {
  const points = lengthM / 127.4
  return {
    cause: 'no_way',
    judged: true,
    from_m: fromM,
    to_m: fromM + lengthM,
    length_m: lengthM,
    max_offset_m: 204,
    points,
    line: [],
    fix: { kind: 'follow_way', line: [], distance_m: lengthM },
    way_id: null,
    ...more,
  }
}

/** The case of the mock-ups: 11.49 km on the network of 12.74 km judged. */
const lake: Reliability = {
  percent: 90.1,
  not_calculable: null,
  judged_m: 12_740,
  on_network_m: 11_490,
  hole_m: 90,
  outside_m: 0,
  tolerance_m: 18,
  gaps: [
    gap(8400, 272, { cause: 'constant_shift' }),
    gap(1900, 558),
    gap(4400, 428, { cause: 'forbidden' }),
    gap(10_600, 90, { cause: 'recording_hole', judged: false, points: 0, fix: null }),
  ],
}

describe('gaps', () => {
  it('are lettered from the worst', () => {
    expect(lettered(lake).map((one) => [one.letter, one.from_m])).toEqual([
      ['A', 1900],
      ['B', 4400],
      ['C', 8400],
    ])
    expect([0, 25, 26, 51, 52, 701, 702].map(letter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
  })

  it('tell what their fix brings, rounded down', () => {
    expect(lettered(lake).map((one) => one.gain)).toEqual([4.3, 3.3, 2.1])
    expect(lettered({ ...lake, gaps: [gap(0, 300, { fix: null })] })[0]?.gain).toBe(0)
  })

  it('that cannot be judged stand apart', () => {
    expect(notJudged(lake).map((one) => one.cause)).toEqual(['recording_hole'])
  })

  it('count a detour with its own length', () => {
    const longer = gap(0, 500, { fix: { kind: 'follow_way', line: [], distance_m: 900 } })
    expect(percentWith(lake, [longer])).toBeCloseTo((100 * (11_490 + 900)) / (12_740 + 400), 6)
  })
})

describe('the shortest way over the threshold', () => {
  it('takes the fewest fixes, those that bring most', () => {
    expect(shortestWay(lake, 95)).toEqual({ letters: ['A', 'B'], percent: 97.9, reaches: true })
  })

  it('says when every fix is not enough', () => {
    const poor = { ...lake, on_network_m: 9000, percent: 70.6 }
    expect(shortestWay(poor, 95)).toMatchObject({ reaches: false, letters: ['A', 'B', 'C'] })
  })

  it('is nothing above the threshold, where nothing is judged, or where nothing can be mended', () => {
    expect(shortestWay({ ...lake, percent: 95 }, 95)).toBeNull()
    expect(shortestWay({ ...lake, not_calculable: { reason: 'outside_extract', share: 31 } }, 95)).toBeNull()
    expect(shortestWay({ ...lake, gaps: [gap(0, 1250, { fix: null })] }, 95)).toBeNull()
  })
})

describe('keeping the trace', () => {
  it('shows the gap as decided', () => {
    const trace = revisionOf([['source', eastward(101)]])
    const here = gap(3000, 500)
    expect(isKept(here, trace)).toBe(false)
    expect(isKept(here, keepAsRecorded(trace, 3000, 3500))).toBe(true)
  })
})

describe('the history', () => {
  const first = revisionOf([['source', eastward(11)]])
  const second = reverse(first)

  it('goes back and forth without end', () => {
    let history = begin(first)
    for (let i = 0; i < 300; i += 1) history = push(history, reverse(history.present.revision), 'reverse')
    const top = history.present
    for (let i = 0; i < 300; i += 1) history = undo(history)
    expect(history.present.revision).toBe(first)
    expect(canUndo(history)).toBe(false)
    for (let i = 0; i < 300; i += 1) history = redo(history)
    expect(history.present).toBe(top)
    expect(canRedo(history)).toBe(false)
  })

  it('gives up what was undone at the next change', () => {
    const history = push(undo(push(begin(first), second, 'reverse')), reverse(second), 'reverse')
    expect(canRedo(history)).toBe(false)
  })

  it('takes no step for nothing, for an answer, or for a refusal', () => {
    expect(push(begin(first), first, 'nothing').past).toHaveLength(0)
    expect(amend(begin(first), second).past).toHaveLength(0)
    expect(drop(push(begin(first), second, 'reverse')).present.revision).toBe(first)
  })
})

describe('the draft', () => {
  it('comes back as it was, with its undo, and writes a shared line once', () => {
    const trace = revisionOf([['source', [...eastward(11), [1.6, 42.6, 1043.5]]]], [400])
    const moved = moveStep(trace, trace.steps[1]?.key ?? 0, [1.5, 42.51])
    const history = undo(push(push(begin(trace), { ...trace, profile: 'road' }, 'profile'), moved, 'move'))
    const packed = pack(history, { parcours_id: 7, base_version: 3, kept_at_ms: 1 })
    expect(packed.lines.filter((line) => line.points.length === 36)).toHaveLength(1)
    const back = unpack(structuredClone(packed))
    expect(back).toEqual(history)
    expect(newKey()).toBeGreaterThan(Math.max(...moved.legs.map((part) => part.key)))
  })
})
