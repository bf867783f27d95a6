import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Route, Position, RouteInput } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { eastward } from '../logic/testing'
import { lengthM } from '../logic/revision'
import type { Services } from './services'
import { present } from './state'
import { Editor } from './store'
import { parcoursForTests, payloadForTests, routeForTests, routeLegForTests, servicesForTests, traceForTests } from './testing'

beforeAll(payloadForTests)

const line = eastward(101)
const at = (index: number): Position => line[index] ?? [0, 0]
const noWay = () => new ProblemError(422, { code: 'planner/no-way' })

function opened(services: Partial<Services> = {}, editable = true): Editor {
  return new Editor({ parcours: parcoursForTests({ editable }), trace: traceForTests(), profile: 'hiking' }, servicesForTests(services))
}
const ready = (editor: Editor) => vi.waitFor(() => expect(editor.get().proposals?.state).not.toBe('asking'))

describe('proposals', () => {
  it('are asked between two places of the trace, and one undo takes back the one that was taken', async () => {
    const requests: (RouteInput & { count: number })[] = []
    const editor = opened({
      alternatives: (input) => {
        requests.push(input)
        return Promise.resolve([routeForTests(line.slice(0, 51)), routeForTests([at(0), [1.53, 42.51], at(50)])])
      },
    })
    editor.choose('ways')
    editor.propose({ kind: 'ways', profile: 'hiking', from_m: 0, to_m: 5000 })
    expect(editor.get().proposals?.state).toBe('asking')
    await ready(editor)
    expect(requests[0]).toMatchObject({ profile: 'hiking', count: 3 })
    expect(requests[0]?.points.map(([lon]) => lon.toFixed(6))).toEqual([at(0)[0].toFixed(6), at(50)[0].toFixed(6)])
    expect(editor.get().proposals?.ways.map((way) => way.current)).toEqual([true, false])
    const before = present(editor.get())
    editor.acceptProposal(1)
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['planned', 'source'])
    expect(editor.get()).toMatchObject({ proposals: null, tool: 'select' })
    expect(present(editor.get()).steps.map((one) => one.title['fr'])).toEqual(['La Halle', 'Le belvédère', undefined])
    editor.undo()
    expect(present(editor.get())).toBe(before)
  })

  it('are forgotten with an edit, an undo or another tool, and only the last question is answered', async () => {
    const answers: ((ways: Route[]) => void)[] = []
    const editor = opened({ alternatives: () => new Promise((answer) => answers.push(answer)) })
    editor.propose({ kind: 'ways', profile: 'hiking', from_m: 0, to_m: 5000 })
    editor.propose({ kind: 'ways', profile: 'hiking', from_m: 5000, to_m: 10_000 })
    answers[0]?.([routeForTests(line)])
    await Promise.resolve()
    expect(editor.get().proposals).toMatchObject({ state: 'asking', request: { from_m: 5000 } })
    answers[1]?.([routeForTests(line.slice(50))])
    await ready(editor)
    expect(editor.get().proposals?.ways).toHaveLength(1)
    editor.choose('measure')
    expect(editor.get().proposals).toBeNull()
    editor.propose({ kind: 'ways', profile: 'hiking', from_m: 0, to_m: 5000 })
    editor.act('reverse', (revision) => ({ ...revision, profile: 'road' }))
    expect(editor.get().proposals).toBeNull()
    answers[2]?.([routeForTests(line)])
    await Promise.resolve()
    expect(editor.get().proposals).toBeNull()
  })

  it('tell a refusal', async () => {
    const editor = opened({ loops: () => Promise.reject(noWay()) })
    editor.propose({ kind: 'loop', profile: 'hiking', start: at(0), length_m: 12_000 })
    await ready(editor)
    expect(editor.get().proposals).toMatchObject({ state: 'refused', ways: [], problem: { code: 'planner/no-way' } })
  })

  it('of a loop replace the whole trace, from the place asked for', async () => {
    const editor = opened()
    editor.propose({ kind: 'loop', profile: 'hiking', start: at(10), length_m: 12_000 })
    await ready(editor)
    editor.acceptProposal(0)
    const revision = present(editor.get())
    expect(revision.legs.every((leg) => leg.kind === 'planned')).toBe(true)
    expect(revision.steps[0]).toMatchObject({ title: { fr: 'La Halle' }, position: at(10) })
    editor.undo()
    expect(lengthM(present(editor.get()).legs)).toBeCloseTo(10_000, -1)
  })
})

describe('a way that is kept out of', () => {
  /** A way around, that bends north between two places. */
  const around = (points: readonly Position[], change: Partial<Route['legs'][number]> = {}): Route => {
    const [from, to] = [points[0] ?? at(0), points[1] ?? at(0)]
    const geometry: Position[] = [from, [from[0], 42.505], [to[0], 42.505], to]
    return routeForTests(geometry, { legs: [routeLegForTests(geometry, 0, 3, change)] })
  }

  it('is opened farther until a way around leaves the line and joins it again', async () => {
    const requests: RouteInput[] = []
    const editor = opened({
      way: (input) => {
        requests.push(input)
        if (requests.length === 1) return Promise.reject(noWay())
        if (requests.length === 2) return Promise.resolve(around(input.points, { snap_from_m: 90 }))
        return Promise.resolve(around(input.points))
      },
    })
    editor.propose({ kind: 'avoid', profile: 'hiking', from_m: 2000, to_m: 3000 })
    await ready(editor)
    expect(editor.get().proposals).toMatchObject({ state: 'ready', ways: [{ from_m: 1700, to_m: 3120 }] })
    const [first] = requests[0]?.avoid ?? []
    expect(first && 'along' in first ? first.along.within_m : 0).toBe(20)
    editor.acceptProposal(0)
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['source', 'planned', 'source'])
  })

  it('never reaches beyond the steps beside it, and says when no other way leads', async () => {
    const requests: RouteInput[] = []
    const editor = opened({
      way: (input) => {
        requests.push(input)
        return Promise.reject(noWay())
      },
    })
    editor.propose({ kind: 'avoid', profile: 'hiking', from_m: 2000, to_m: 3000 })
    await ready(editor)
    expect(editor.get().proposals).toMatchObject({ state: 'refused', problem: { code: 'planner/no-way' } })
    const ends = requests.at(-1)?.points.map(([lon]) => lon.toFixed(5))
    expect(ends).toEqual([at(0)[0].toFixed(5), at(50)[0].toFixed(5)])
  })

  it('is refused when its ends themselves cannot be reached', async () => {
    const editor = opened({ way: ({ points }) => Promise.resolve(around(points, { snap_to_m: 130 })) })
    editor.propose({ kind: 'avoid', profile: 'hiking', from_m: 2000, to_m: 3000 })
    await ready(editor)
    expect(editor.get().proposals).toMatchObject({ state: 'refused' })
  })
})
