import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProblemError } from '@/api/problem'
import type { AnalysisInput, TraceInput } from '@/api/types'
import { addAway, addOnLine, bendAt, follow, keep, moveTo, remove, setMode } from './actions'
import { shownGapsOf, shownStepsOf } from './shown'
import { isDirty, isFresh, present } from './state'
import { Editor, type Opening } from './store'
import { inspectionForTests, memoryDrafts, parcoursForTests, servicesForTests, traceForTests } from './testing'
import { eastward } from '../logic/testing'
import { lengthM } from '../logic/revision'
import { offsetBy } from '../logic/geo'

const opening = () => ({ parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking' })

/** Lets every answer, pause and announcement come. */
const settle = async () => {
  await vi.advanceTimersByTimeAsync(3000)
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function opened(services = servicesForTests(), open: Opening = opening()): Promise<Editor> {
  const editor = new Editor(open, services)
  await editor.start()
  return editor
}

const north = (editor: Editor, metres: number) => offsetBy(present(editor.get()).steps[1]?.position ?? [0, 0], 0, metres)

describe('an edit', () => {
  it('is planned, analysed, said with its figures, and kept on the device', async () => {
    const drafts = memoryDrafts()
    const editor = await opened(servicesForTests({ drafts }))
    const key = present(editor.get()).steps[1]?.key ?? 0
    moveTo(editor, key, north(editor, 300), { free: false, onLineWithinM: 5 })
    expect(editor.get().planning).toBe(true)
    await settle()
    expect(editor.get().planning).toBe(false)
    expect(isFresh(editor.get())).toBe(true)
    expect(editor.get().said).toMatchObject({ what: { id: 'moved', step: '1' }, percent: 90 })
    expect(drafts.kept.get(7)?.base_version).toBe(3)
    expect(isDirty(editor.get())).toBe(true)
  })

  it('that the planner refuses leaves the last good line, and offers a free stretch', async () => {
    const editor = await opened()
    const before = present(editor.get())
    bendAt(editor, 3000, [1.53, 43.2], false)
    await settle()
    expect(present(editor.get())).toBe(before)
    expect(editor.get().failure?.problem.code).toBe('planner/too-far')
    editor.takeFree()
    await settle()
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['source', 'free', 'free', 'source'])
    expect(editor.get().failure).toBeNull()
  })

  it('that was refused is done again under its name', async () => {
    const services = servicesForTests()
    let isAway = true
    const editor = await opened({
      ...services,
      route: (...asked) => (isAway ? Promise.reject(new ProblemError(401, { code: 'session/expired' })) : services.route(...asked)),
    })
    const before = present(editor.get())
    bendAt(editor, 3000, [1.53, 42.53], false)
    await settle()
    expect([present(editor.get()) === before, editor.get().failure?.problem.status]).toEqual([true, 401])
    isAway = false
    editor.again()
    await settle()
    expect(editor.get().failure).toBeNull()
    expect(present(editor.get())).not.toBe(before)
    expect(editor.get().history.present.done).toBe('bend')
    editor.undo()
    expect(present(editor.get())).toBe(before)
  })

  it('that follows another cancels what the first asked', async () => {
    const signals: AbortSignal[] = []
    const route = servicesForTests().route
    const editor = await opened(
      servicesForTests({
        route: (from, to, profile, signal) => (
          signals.push(signal),
          new Promise((resolve) => setTimeout(() => resolve(route(from, to, profile, signal)), 500))
        ),
      }),
    )
    bendAt(editor, 3000, [1.53, 42.51], false)
    await vi.advanceTimersByTimeAsync(50)
    editor.undo()
    expect(signals.every((signal) => signal.aborted)).toBe(true)
    await settle()
    expect(editor.get().failure).toBeNull()
    editor.redo()
    await settle()
    expect(present(editor.get()).legs.every((leg) => !leg.pending)).toBe(true)
  })

  it('is refused to who may only read', async () => {
    const editor = await opened(servicesForTests(), { ...opening(), parcours: parcoursForTests({ editable: false }) })
    addOnLine(editor, 3000)
    remove(editor, present(editor.get()).steps[1]?.key ?? 0)
    expect(isDirty(editor.get())).toBe(false)
  })

  it('is said with the figures of after, even where nothing waits for the planner', async () => {
    let percent = 90
    const analyse = servicesForTests().analyse
    const editor = await opened(
      servicesForTests({
        analyse: async (...args) => {
          const answer = await analyse(...args)
          return { ...answer, reliability: answer.reliability && { ...answer.reliability, percent } }
        },
      }),
    )
    percent = 97
    follow(editor, shownGapsOf(editor.get()).slice(0, 1))
    expect(editor.get().said).toBeNull()
    await settle()
    expect(editor.get().said).toMatchObject({ what: { id: 'followed', letter: 'A' }, percent: 97 })
  })

  it('shows the figures of an undone state at once, without asking again', async () => {
    let count = 0
    const analyse = servicesForTests().analyse
    const editor = await opened(servicesForTests({ analyse: (...args) => ((count += 1), analyse(...args)) }))
    bendAt(editor, 3000, [1.53, 42.51], false)
    await settle()
    expect(count).toBe(1)
    editor.undo()
    expect(isFresh(editor.get())).toBe(true)
    await settle()
    expect(count).toBe(1)
  })
})

describe('gaps', () => {
  it('are mended together, each at its own place', async () => {
    const editor = await opened()
    follow(editor, shownGapsOf(editor.get()))
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['source', 'planned', 'source', 'planned', 'source'])
    expect(lengthM(present(editor.get()).legs)).toBeCloseTo(10_130, -2)
    await settle()
    expect(editor.get().said?.what).toEqual({ id: 'followed', letter: 'A, B' })
  })

  it('that are kept are decided, and undone in one step', async () => {
    const editor = await opened()
    const [first] = shownGapsOf(editor.get())
    if (first) keep(editor, first)
    expect(shownGapsOf(editor.get()).map((gap) => gap.kept)).toEqual([true, false])
    editor.undo()
    expect(shownGapsOf(editor.get()).map((gap) => gap.kept)).toEqual([false, false])
  })
})

describe('drawing', () => {
  it('from nothing asks the planner between the points and places them', async () => {
    const editor = await opened(servicesForTests(), { parcours: parcoursForTests({ steps: [] }), trace: null, profile: 'hiking' })
    expect(editor.get().tool).toBe('step')
    addAway(editor, [1.5, 42.5], false)
    addAway(editor, [1.51, 42.5], false)
    addAway(editor, [1.52, 42.5], true)
    await settle()
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['planned', 'free'])
    expect(shownStepsOf(editor.get()).map((one) => one.label)).toEqual(['D', '1', 'A'])
  })
})

describe('saving', () => {
  it('waits for the planner, and is one save however often it is asked for', async () => {
    const sent: TraceInput[] = []
    const services = servicesForTests()
    const editor = await opened(servicesForTests({ save: (id, version, input) => (sent.push(input), services.save(id, version, input)) }))
    const key = present(editor.get()).steps[1]?.key ?? 0
    moveTo(editor, key, north(editor, 300), { free: false, onLineWithinM: 5 })
    const saves = Promise.all([editor.save(false), editor.save(false)])
    await settle()
    expect(await saves).toEqual([true, true])
    expect(sent.length).toBe(1)
    expect(sent[0]?.legs?.every(({ line }) => line.length > 2)).toBe(true)
  })

  it('is refused without a departure and an arrival', async () => {
    const editor = await opened()
    remove(editor, present(editor.get()).steps.at(-1)?.key ?? 0)
    expect(await editor.save(false)).toBe(false)
    expect(editor.get().saveProblem?.code).toBe('trace/ends-required')
  })

  it('asks for distance and duration where no planner gives them', async () => {
    const editor = await opened()
    setMode(editor, 'source')
    await settle()
    expect(await editor.save(false)).toBe(false)
    expect(editor.get().saveProblem?.code).toBe('trace/distance-duration-required')
    editor.act('typed', (revision) => ({ ...revision, duration_typed_s: 7200 }))
    expect(await editor.save(false)).toBe(true)
  })

  it('sends the version it started from, forgets the draft, and has nothing left to save', async () => {
    const drafts = memoryDrafts()
    const sent: { version: number; input: TraceInput }[] = []
    const save = servicesForTests().save
    const editor = await opened(
      servicesForTests({ drafts, save: (id, version, input) => (sent.push({ version, input }), save(id, version, input)) }),
    )
    bendAt(editor, 3000, [1.53, 42.51], false)
    await settle()
    expect(await editor.save(true)).toBe(true)
    await settle()
    expect(sent[0]).toMatchObject({ version: 3, input: { forced: true, mode: 'planner', profile: 'hiking' } })
    expect(sent[0]?.input.legs.map((leg) => leg.kind)).toEqual(['source', 'planned', 'planned', 'source'])
    expect(isDirty(editor.get())).toBe(false)
    expect(drafts.kept.size).toBe(0)
    editor.undo()
    expect(isDirty(editor.get())).toBe(true)
  })

  it('leaves the draft of another window', async () => {
    const drafts = memoryDrafts()
    const [editor, other] = [await opened(servicesForTests({ drafts })), await opened(servicesForTests({ drafts }))]
    bendAt(editor, 3000, [1.53, 42.51], false)
    await settle()
    bendAt(other, 3000, [1.54, 42.52], false)
    await settle()
    const theirs = drafts.kept.get(editor.get().parcours.id)
    expect(theirs?.kept_at_ms).not.toBe(editor.get().draftKeptAtMs)
    expect(await editor.save(true)).toBe(true)
    await settle()
    expect(drafts.kept.get(editor.get().parcours.id)).toBe(theirs)
  })

  it('over a newer version asks which one to keep', async () => {
    const theirs = parcoursForTests({ version: 8 })
    const save = servicesForTests().save
    const editor = await opened(
      servicesForTests({
        save: (id, version, input) =>
          version < 8 ? Promise.reject(new ProblemError(412, { code: 'version/stale', current: theirs })) : save(id, version, input),
      }),
    )
    addOnLine(editor, 3000)
    expect(await editor.save(false)).toBe(false)
    expect(editor.get().conflict?.version).toBe(8)
    expect(await editor.save(false, 8)).toBe(true)
    expect(editor.get().conflict).toBeNull()
  })

  it('or takes the saved one, with ours one undo away', async () => {
    const editor = await opened()
    addOnLine(editor, 3000)
    const mine = present(editor.get())
    await editor.takeTheirs()
    expect(isDirty(editor.get())).toBe(false)
    expect(editor.get().parcours.version).toBe(9)
    editor.undo()
    expect(present(editor.get())).toBe(mine)
  })

  it('that fails on the way keeps everything', async () => {
    const editor = await opened(servicesForTests({ save: () => Promise.reject(new ProblemError(0, { code: 'connection' })) }))
    addOnLine(editor, 3000)
    const mine = present(editor.get())
    expect(await editor.save(false)).toBe(false)
    expect(present(editor.get())).toBe(mine)
    expect(editor.get().saveProblem?.code).toBe('connection')
  })
})

describe('a file that takes the place of the trace', () => {
  const other = eastward(51, 100, [1.5, 42.53])
  const read = inspectionForTests({ line: other, pieces: [{ points: 51, distance_m: 5000, line: other }] })
  const file = new File(['<gpx>é</gpx>'], 'nord.gpx')
  const bring = (editor: Editor) => editor.importFile(file, read, { pieces: null, withoutRepairs: ['spikes'] }, new Map())

  it('is a draft, undone whole in one step, and nothing of it reaches the server', async () => {
    const calls: string[] = []
    const save = servicesForTests().save
    const editor = await opened(servicesForTests({ save: (...args) => (calls.push('save'), save(...args)) }))
    const before = present(editor.get())
    await bring(editor)
    await settle()
    expect(isDirty(editor.get())).toBe(true)
    expect(present(editor.get()).legs[0]?.line).toBe(other)
    editor.undo()
    await settle()
    expect(present(editor.get())).toBe(before)
    expect(isDirty(editor.get())).toBe(false)
    expect(calls).toEqual([])
  })

  it('is judged without the recording of before, whose heights may come from the ground model', async () => {
    const asked: AnalysisInput[] = []
    const analyse = servicesForTests().analyse
    const editor = await opened(servicesForTests({ analyse: (...args) => (asked.push(args[0]), analyse(...args)) }))
    bendAt(editor, 3000, [1.53, 42.51], false)
    await settle()
    await bring(editor)
    await settle()
    const { id } = editor.get().parcours
    expect(asked.map((one) => [one.parcours_id, one.source_revision])).toEqual([
      [id, null],
      [null, null],
    ])
  })

  it('goes to the server with the save, and undone after it the file of before is taken back', async () => {
    const sent: TraceInput[] = []
    const save = servicesForTests().save
    const editor = await opened(
      servicesForTests({
        save: async (id, version, input) => {
          sent.push(input)
          const done = await save(id, version, input)
          const trace = {
            ...done.trace,
            revision: 2,
            source_file: { name: 'nord.gpx', format: 'gpx' as const, bytes: 12, points: 51, sha256: 'b' },
            source_line: other,
          }
          return { ...done, trace: sent.length === 1 ? trace : done.trace }
        },
      }),
    )
    await bring(editor)
    await settle()
    expect(await editor.save(false)).toBe(true)
    expect(sent[0]?.source).toEqual({ from: 'file', name: 'nord.gpx', bytes: 'PGdweD7DqTwvZ3B4Pg==', without_repairs: ['spikes'] })
    expect(present(editor.get()).source).toMatchObject({ revision: 2, sha256: 'b', file: null })
    addOnLine(editor, 3000)
    expect(await editor.save(false)).toBe(true)
    expect(sent[1]?.source).toBeUndefined()
  })

  it('undone after the save goes back to the file of before', async () => {
    const sent: TraceInput[] = []
    const save = servicesForTests().save
    const editor = await opened(
      servicesForTests({
        save: async (id, version, input) => {
          sent.push(input)
          const done = await save(id, version, input)
          return {
            ...done,
            trace: {
              ...done.trace,
              revision: 2,
              source_file: { name: 'nord.gpx', format: 'gpx' as const, bytes: 12, points: 51, sha256: 'b' },
            },
          }
        },
      }),
    )
    await bring(editor)
    await settle()
    await editor.save(false)
    editor.undo()
    await settle()
    expect(await editor.save(false)).toBe(true)
    expect(sent[1]?.source).toEqual({ from: 'revision', revision: 1 })
  })
})

describe('a draft on the device', () => {
  it('is resumed with its undo', async () => {
    const drafts = memoryDrafts()
    const first = await opened(servicesForTests({ drafts }))
    addOnLine(first, 3000)
    addOnLine(first, 6000)
    await settle()
    first.stop()
    const second = await opened(servicesForTests({ drafts }))
    expect(second.get().found).toBe('resumed')
    expect(present(second.get()).steps).toHaveLength(5)
    second.undo()
    second.undo()
    expect(isDirty(second.get())).toBe(false)
  })

  it('is gone when a save ends, also where it was still being written', async () => {
    const drafts = memoryDrafts()
    const slow = async (work: () => Promise<void>) => {
      await new Promise((over) => setTimeout(over, 500))
      await work()
    }
    const editor = await opened(
      servicesForTests({
        drafts: {
          ...drafts,
          write: (draft) => slow(() => drafts.write(draft)),
          forget: (id, keptAtMs) => slow(() => drafts.forget(id, keptAtMs)),
        },
      }),
    )
    editor.act('typed', (revision) => ({ ...revision, duration_typed_s: 7200 }))
    void editor.keepDraft()
    let saved = false
    void editor.save(false).then((done) => (saved = done))
    await vi.advanceTimersByTimeAsync(900)
    expect([saved, drafts.kept.size]).toEqual([false, 1])
    await vi.advanceTimersByTimeAsync(200)
    expect([saved, drafts.kept.size, editor.get().draftKeptAtMs]).toEqual([true, 0, null])
  })

  it('goes with the change that is undone', async () => {
    const drafts = memoryDrafts()
    const editor = await opened(servicesForTests({ drafts }))
    const key = present(editor.get()).steps[1]?.key ?? 0
    moveTo(editor, key, north(editor, 300), { free: false, onLineWithinM: 5 })
    await settle()
    expect(drafts.kept.has(7)).toBe(true)
    editor.undo()
    await settle()
    expect(drafts.kept.has(7)).toBe(false)
  })

  it('that is older than what is saved says so, and can be dropped', async () => {
    const drafts = memoryDrafts()
    const first = await opened(servicesForTests({ drafts }))
    addOnLine(first, 3000)
    await settle()
    first.stop()
    const second = await opened(servicesForTests({ drafts }), { ...opening(), parcours: parcoursForTests({ version: 4 }) })
    expect(second.get().found).toBe('older')
    await second.dropDraft()
    expect(isDirty(second.get())).toBe(false)
    expect(drafts.kept.size).toBe(0)
  })

  it('that cannot be stored is not reported as stored', async () => {
    const drafts = { ...memoryDrafts(), write: () => Promise.reject(new Error('private window')) }
    const editor = await opened(servicesForTests({ drafts }))
    addOnLine(editor, 3000)
    await settle()
    expect(editor.get().draftKeptAtMs).toBeNull()
  })
})
