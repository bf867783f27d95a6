import { describe, expect, it } from 'vitest'
import { distanceM } from '@/records/map/geo'
import { offsetBy, type Position } from './geo'
import {
  addOnLine,
  append,
  bend,
  closeLoop,
  followInstead,
  freeStretch,
  insertAfter,
  judgeAgain,
  keepAsRecorded,
  moveStep,
  removeStep,
  reorder,
  reverse,
  slideStep,
  takeOriginal,
  withProfile,
} from './operations'
import { resolve, wishes } from './planning'
import { type Revision, emptyRevision, isClosed, leg, lengthM, workingLine } from './revision'
import { join, keepBetween, split } from './stretch'
import { eastward, revisionOf } from './testing'
import { stepLabels } from '@/records/parcours/step-labels'

/** What must hold after any operation: joints meet, steps in order and inside the line. */
function sound(revision: Revision): Revision {
  revision.legs.forEach((part, index) => {
    const end = revision.legs[index - 1]?.line.at(-1)
    if (end) expect(part.line[0]?.slice(0, 2)).toEqual(end.slice(0, 2))
  })
  const total = lengthM(revision.legs)
  revision.steps.forEach((one, index) => {
    expect(one.at_m).toBeGreaterThanOrEqual(-0.01)
    expect(one.at_m).toBeLessThanOrEqual(total + 0.01)
    expect(one.at_m).toBeGreaterThanOrEqual((revision.steps[index - 1]?.at_m ?? 0) - 0.01)
  })
  return revision
}

/** A planner that answers with the ghost bent 10 m north in its middle, its ends where they were asked. */
function answer(revision: Revision): Revision {
  const answers = new Map(
    wishes(revision).map((wish): [number, readonly Position[]] => [
      wish.key,
      [wish.from, offsetBy([(wish.from[0] + wish.to[0]) / 2, (wish.from[1] + wish.to[1]) / 2], 0, 10), wish.to],
    ]),
  )
  return sound(resolve(revision, answers))
}

const at = (revision: Revision) => revision.steps.map((one) => Math.round(one.at_m / 10) * 10)
const kinds = (revision: Revision) => revision.legs.map((part) => part.kind)
const north = (place: Position | undefined, metres: number): Position => offsetBy(place ?? [0, 0], 0, metres)

describe('drawing', () => {
  it('makes a departure, then an arrival that each new point takes over', () => {
    const [a, b, c] = eastward(3, 500)
    let drawn = append(emptyRevision('hiking'), a ?? [0, 0]).revision
    expect(stepLabels(drawn.steps)).toEqual(['D'])
    drawn = append(drawn, b ?? [0, 0]).revision
    drawn = sound(append(drawn, c ?? [0, 0], { free: true }).revision)
    expect(drawn.steps.map((one) => one.kind)).toEqual(['departure', 'waypoint', 'arrival'])
    expect(kinds(drawn)).toEqual(['planned', 'free'])
    expect(wishes(drawn)).toHaveLength(1)
    expect(lengthM(answer(drawn).legs)).toBeGreaterThan(1000)
  })

  it('closes the loop and says so', () => {
    const [a, b, c] = [eastward(1)[0], eastward(6)[5], north(eastward(6)[5], 400)]
    const drawn = [b, c].reduce(
      (revision, place) => append(revision, place ?? [0, 0]).revision,
      append(emptyRevision('hiking'), a ?? [0, 0]).revision,
    )
    const closed = answer(closeLoop(drawn))
    expect(isClosed(closed)).toBe(true)
    expect(closed.steps.at(-1)?.kind).toBe('arrival')
    expect(closed.steps.at(-1)?.at_m).toBeCloseTo(lengthM(closed.legs), 1)
    expect(closeLoop(closed)).toBe(closed)
  })

  it('moves the departure and the arrival of a closed loop together', () => {
    const [a, b, c] = [eastward(1)[0], eastward(6)[5], north(eastward(6)[5], 400)]
    const drawn = [b, c].reduce(
      (revision, place) => append(revision, place ?? [0, 0]).revision,
      append(emptyRevision('hiking'), a ?? [0, 0]).revision,
    )
    const closed = answer(closeLoop(drawn))
    const moved = answer(moveStep(closed, closed.steps[0]?.key ?? 0, north(a, 80)))
    expect(isClosed(moved)).toBe(true)
    expect(distanceM(moved.steps[0]?.position ?? [0, 0], moved.steps.at(-1)?.position ?? [1, 1])).toBeLessThan(0.1)
  })
})

describe('moving', () => {
  it('re-plans both planned stretches beside a step and nothing else', () => {
    const drawn = revisionOf(
      [
        ['planned', eastward(6)],
        ['planned', eastward(11).slice(5)],
        ['planned', eastward(16).slice(10)],
      ],
      [500, 1000],
    )
    const moved = sound(moveStep(drawn, drawn.steps[1]?.key ?? 0, north(drawn.steps[1]?.position, 90)))
    expect(wishes(moved)).toHaveLength(2)
    expect(moved.legs.at(-1)).toBe(drawn.legs[2])
    const done = answer(moved)
    expect(at(done)[2]).toBeGreaterThan(1000)
    expect(done.steps[2]?.position).toEqual(drawn.steps[2]?.position)
  })

  it('opens a recording only near the point', () => {
    const recorded = revisionOf([['source', eastward(101)]], [5000])
    const moved = answer(sound(moveStep(recorded, recorded.steps[1]?.key ?? 0, north(recorded.steps[1]?.position, 50))))
    expect(kinds(moved)).toEqual(['source', 'planned', 'planned', 'source'])
    expect(lengthM(moved.legs.slice(0, 1))).toBeCloseTo(4800, -1)
  })

  it('bends the line where it is grabbed, with a way-point', () => {
    const recorded = revisionOf([['source', eastward(101)]])
    const bent = bend(recorded, 3000, north(eastward(31)[30], 200))
    expect(answer(bent.revision).steps.map((one) => one.kind)).toEqual(['departure', 'waypoint', 'arrival'])
    expect(workingLine(recorded.legs)).toHaveLength(101)
  })

  it('keeps a free stretch free', () => {
    const free = revisionOf([['free', [eastward(1)[0] ?? [0, 0], eastward(11)[10] ?? [0, 0]]]])
    const bent = sound(bend(free, 500, north(eastward(6)[5], 100)).revision)
    expect(kinds(bent)).toEqual(['free', 'free'])
    expect(wishes(bent)).toHaveLength(0)
  })

  it('slides a step along the line without touching it', () => {
    const recorded = revisionOf([['source', eastward(101)]], [5000])
    const slid = sound(slideStep(recorded, recorded.steps[1]?.key ?? 0, 6000))
    expect(slid.legs).toBe(recorded.legs)
    expect(slid.steps[1]?.at_m).toBe(6000)
  })

  it('draws a stretch straight when asked', () => {
    const drawn = revisionOf(
      [
        ['planned', eastward(11)],
        ['planned', eastward(21).slice(10)],
      ],
      [1000],
    )
    const moved = sound(moveStep(drawn, drawn.steps[1]?.key ?? 0, north(drawn.steps[1]?.position, 90), { free: true }))
    expect(kinds(moved)).toEqual(['free', 'free'])
  })
})

describe('the planner answers', () => {
  it('takes the step to where it was snapped, and joins what stays', () => {
    const recorded = revisionOf([['source', eastward(101)]], [5000])
    const moved = moveStep(recorded, recorded.steps[1]?.key ?? 0, north(recorded.steps[1]?.position, 50))
    const snapped = north(recorded.steps[1]?.position, 42)
    const [first, second] = wishes(moved)
    const done = sound(
      resolve(
        moved,
        new Map([
          [first?.key ?? 0, [north(first?.from, 3), snapped]],
          [second?.key ?? 0, [snapped, north(second?.to, 4)]],
        ]),
      ),
    )
    expect(distanceM(done.steps[1]?.position ?? [0, 0], snapped)).toBeLessThan(0.1)
    expect(wishes(done)).toHaveLength(0)
  })

  it('answers one stretch while the other still waits', () => {
    const drawn = append(append(append(emptyRevision('hiking'), [1.5, 42.5]).revision, [1.51, 42.5]).revision, [1.52, 42.5]).revision
    const first = wishes(drawn)[0]
    const half = sound(
      resolve(
        drawn,
        new Map([
          [
            first?.key ?? 0,
            [
              [1.5, 42.5003],
              [1.5098, 42.5001],
            ] satisfies Position[],
          ],
        ]),
      ),
    )
    expect(wishes(half)).toHaveLength(1)
    expect(wishes(half)[0]?.from).toEqual([1.5098, 42.5001])
  })
})

describe('the rest of the tools', () => {
  const recorded = revisionOf([['source', eastward(101)]], [2000, 5000, 8000])

  it('adds a step on the line, in its rank', () => {
    const added = sound(addOnLine(recorded, 3000, 'advice').revision)
    expect(added.steps.map((one) => one.kind)).toEqual(['departure', 'favourite', 'advice', 'favourite', 'favourite', 'arrival'])
    expect(added.legs).toBe(recorded.legs)
  })

  it('gives a planned line a joint where a step is added', () => {
    const drawn = revisionOf([['planned', eastward(11)]])
    expect(sound(addOnLine(drawn, 450, 'step').revision).legs).toHaveLength(2)
  })

  it('inserts between two steps of the list', () => {
    const inserted = answer(insertAfter(recorded, recorded.steps[1]?.key ?? 0, north(eastward(31)[30], 60)).revision)
    expect(inserted.steps[2]?.kind).toBe('waypoint')
    expect(kinds(inserted)).toEqual(['source', 'planned', 'planned', 'source'])
  })

  it('joins the neighbours when a bend is removed, and leaves a recording alone', () => {
    const drawn = revisionOf(
      [
        ['planned', eastward(6)],
        ['planned', eastward(11).slice(5)],
      ],
      [500],
    )
    expect(wishes(sound(removeStep(drawn, drawn.steps[1]?.key ?? 0)))).toHaveLength(1)
    expect(sound(removeStep(recorded, recorded.steps[2]?.key ?? 0)).legs).toBe(recorded.legs)
  })

  it('starts a drawn trace at its next point when the departure goes', () => {
    const drawn = revisionOf(
      [
        ['planned', eastward(6)],
        ['planned', eastward(11).slice(5)],
      ],
      [500],
    )
    const cut = sound(removeStep(drawn, drawn.steps[0]?.key ?? 0))
    expect(cut.steps.map((one) => one.kind)).toEqual(['departure', 'arrival'])
    expect(lengthM(cut.legs)).toBeCloseTo(500, 0)
  })

  it('changes the order of steps and draws again between them', () => {
    const swapped = sound(reorder(recorded, recorded.steps[1]?.key ?? 0, 1))
    expect(swapped.steps.map((one) => one.key)).toEqual([0, 2, 1, 3, 4].map((rank) => recorded.steps[rank]?.key))
    expect(kinds(swapped)).toEqual(['planned', 'planned', 'planned', 'source'])
    expect(kinds(answer(swapped))).toEqual(kinds(swapped))
  })

  it('gives the ends to whatever comes first and last', () => {
    const swapped = sound(reorder(recorded, recorded.steps[1]?.key ?? 0, -1))
    expect(swapped.steps.map((one) => one.kind)).toEqual(['departure', 'waypoint', 'favourite', 'favourite', 'arrival'])
    expect(reorder(recorded, recorded.steps[0]?.key ?? 0, -1)).toBe(recorded)
  })

  it('reverses the line, the steps and their ends', () => {
    const back = sound(reverse(recorded))
    expect(at(back)).toEqual([0, 2000, 5000, 8000, 10_000])
    expect(back.steps[0]?.kind).toBe('departure')
    expect(back.steps[0]?.position).toEqual(recorded.steps.at(-1)?.position)
    expect(workingLine(reverse(back).legs)).toEqual(workingLine(recorded.legs))
  })

  it('asks planned stretches again when reversed on a bike, not on foot', () => {
    const drawn = revisionOf([['planned', eastward(11)]])
    expect(wishes(reverse(drawn))).toHaveLength(0)
    expect(wishes(reverse({ ...drawn, profile: 'touring' }))).toHaveLength(1)
  })

  it('trims to what lies between two kilometres, with a departure and an arrival there', () => {
    const trimmed = sound(keepBetween(recorded, 3000, 8000))
    expect(lengthM(trimmed.legs)).toBeCloseTo(5000, 0)
    expect(trimmed.steps.map((one) => one.kind)).toEqual(['departure', 'favourite', 'arrival'])
    expect(keepBetween(recorded, 4000, 4000)).toBe(recorded)
  })

  it('splits without moving anything, and joins back', () => {
    const cut = sound(split(recorded, 4321))
    expect(cut.legs).toHaveLength(2)
    expect(lengthM(cut.legs)).toBeCloseTo(lengthM(recorded.legs), 3)
    const back = sound(join(cut, 0))
    expect(back.legs).toHaveLength(1)
    expect(split(recorded, 0)).toStrictEqual(recorded)
  })

  it('draws a free stretch through its corners, whichever end was clicked first', () => {
    const corner = north(eastward(46)[45], 150)
    const one = sound(freeStretch(recorded, 4000, 5000, [corner]))
    const other = sound(freeStretch(recorded, 5000, 4000, [corner]))
    expect(kinds(one)).toEqual(['source', 'free', 'source'])
    expect(lengthM(one.legs)).toBeCloseTo(lengthM(other.legs), 3)
    expect(one.steps[3]?.position).toEqual(recorded.steps[3]?.position)
  })

  it('takes the recommended line in place of a stretch', () => {
    const way = eastward(11).map((place) => offsetBy(place, 3000, 30))
    const mended = sound(followInstead(recorded, 3000, 4000, way))
    expect(kinds(mended)).toEqual(['source', 'planned', 'source'])
    expect(lengthM(mended.legs)).toBeCloseTo(10_060, -1)
  })

  it('keeps a stretch as recorded without moving it', () => {
    const kept = sound(keepAsRecorded(recorded, 3000, 4000))
    expect(kinds(kept)).toEqual(['source', 'free', 'source'])
    expect(lengthM(kept.legs)).toBeCloseTo(lengthM(recorded.legs), 3)
    expect(at(kept)).toEqual(at(recorded))
  })

  it('decides again what was kept, and nothing else', () => {
    const kept = keepAsRecorded(recorded, 3000, 4000)
    const again = sound(judgeAgain(kept, 3000, 4000))
    expect(kinds(again)).toEqual(['source', 'source', 'source'])
    expect(workingLine(again.legs)).toEqual(workingLine(kept.legs))
    expect(judgeAgain(kept, 6000, 7000)).toBe(kept)
  })

  it('takes back the original, its steps in place', () => {
    const source = workingLine(recorded.legs)
    const bent = answer(bend(recorded, 6000, north(eastward(61)[60], 200)).revision)
    const original = sound(takeOriginal(bent, source))
    expect(workingLine(original.legs)).toBe(source)
    expect(at(original)).toEqual([0, 2000, 5000, 6000, 8000, 10_000])
  })

  it('asks every planned stretch again for another profile, and keeps the last good line meanwhile', () => {
    const drawn = revisionOf([
      ['planned', eastward(11)],
      ['source', eastward(21).slice(10)],
    ])
    const requested = withProfile(drawn, 'road')
    expect(wishes(requested)).toHaveLength(1)
    expect(requested.legs[0]?.line).toBe(drawn.legs[0]?.line)
  })

  it('edits 200,000 recorded points again and again', () => {
    const long = Array.from({ length: 200_000 }, (_, i): Position => [1.5 + Math.sin(i / 900) / 20, 42.5 + i / 800_000])
    let revision: Revision = { ...revisionOf([['source', long]]), legs: [leg('source', long)] }
    for (let i = 1; i <= 5; i += 1) revision = bend(revision, i * 10_000, north(workingLine(revision.legs)[i * 1000], 300)).revision
    expect(wishes(revision).length).toBeGreaterThan(5)
    sound(revision)
  })
})
