import { beforeEach, expect, it } from 'vitest'
import { ProblemError } from '@/api/problem'
import { attach, changeAll, detach, type Change, type Outcome, type Records, type Task } from './write'

let stored: Record<number, { version: number; media_ids: number[] }>
let refusals: ProblemError[]
let saves: [number, number, number[]][]

const records: Records = {
  get: (id) => Promise.resolve({ version: 0, media_ids: [], ...stored[id], title: { fr: `Fiche ${id}` } }),
  save: (id, version, { media_ids }) => {
    saves.push([id, version, media_ids])
    const refusal = refusals.shift()
    if (refusal?.status === 412) stored[id] = { version: version + 1, media_ids: [...(stored[id]?.media_ids ?? []), 99] }
    if (refusal !== undefined) return Promise.reject(refusal)
    stored[id] = { version: version + 1, media_ids }
    return Promise.resolve()
  },
}

beforeEach(() => {
  stored = { 1: { version: 4, media_ids: [10] }, 2: { version: 1, media_ids: [] } }
  refusals = []
  saves = []
})

const task = (id: number, ...mediaIds: number[]): Task => ({ id, mediaIds })
async function run(tasks: Task[], change: Change = attach, isStopped: (done: Outcome[]) => boolean = () => false) {
  const done: Outcome[] = []
  await changeAll(records, tasks, change, { isStopped: () => isStopped(done), onOutcome: (outcome) => done.push(outcome) })
  return done
}

it('adds media files after those that are there', async () => {
  const done = await run([task(1, 11, 10), task(2, 12)])
  expect(done.map(({ title }) => title?.['fr'])).toEqual(['Fiche 1', 'Fiche 2'])
  expect(done.map((outcome) => outcome.state === 'written' && outcome.changed)).toEqual([[11], [12]])
  expect(saves).toEqual([
    [1, 4, [10, 11]],
    [2, 1, [12]],
  ])
})

it('writes nothing where all is attached already', async () => {
  expect((await run([task(1, 10)])).map(({ state }) => state)).toEqual(['unchanged'])
  expect(saves).toEqual([])
})

it('reads the record again once after a conflict, and loses nothing of what another person saved', async () => {
  refusals = [new ProblemError(412, { code: 'precondition/version' })]
  expect((await run([task(1, 11)])).map(({ state }) => state)).toEqual(['written'])
  expect(stored[1]?.media_ids).toEqual([10, 99, 11])
})

it('refuses after a second conflict, and goes on with the next record', async () => {
  refusals = [new ProblemError(412, { code: 'a' }), new ProblemError(412, { code: 'a' })]
  expect((await run([task(1, 11), task(2, 12)])).map(({ state }) => state)).toEqual(['refused', 'written'])
})

it('does not repeat another refusal', async () => {
  refusals = [new ProblemError(422, { code: 'validation' })]
  expect((await run([task(1, 11)])).map(({ state }) => state)).toEqual(['refused'])
  expect(saves).toHaveLength(1)
})

it('ends where there is no connection', async () => {
  refusals = [new ProblemError(0, { code: 'connection' })]
  expect(await run([task(1, 11), task(2, 12)])).toHaveLength(1)
})

it('stops between two records', async () => {
  expect(await run([task(1, 11), task(2, 12)], attach, (done) => done.length === 1)).toHaveLength(1)
  expect(stored[2]?.media_ids).toEqual([])
})

it('takes back only what was added', async () => {
  await run([task(1, 11)])
  await run([task(1, 11)], detach)
  expect(stored[1]?.media_ids).toEqual([10])
})
