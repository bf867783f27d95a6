import { ProblemError } from '@/api/problem'
import type { Text } from '@/api/types'
import type { WithMedia } from './records'

/** Media files to add to one record. */
export interface Task {
  id: number
  mediaIds: readonly number[]
}

/** What became of one record; without a title where it could not be read. */
export type Outcome = { task: Task; title?: Text } & (
  | { state: 'written'; changed: number[] }
  | { state: 'unchanged' }
  | { state: 'refused'; problem: unknown }
)

/** The two operations that are needed of a resource. */
export interface Records {
  get: (id: number) => Promise<Pick<WithMedia, 'version' | 'title' | 'media_ids'>>
  save: (id: number, version: number, patch: { media_ids: number[] }) => Promise<unknown>
}

/** A change of a record's list of media files: the new list. */
export type Change = (ids: readonly number[], task: Task) => number[]

export const attach: Change = (ids, { mediaIds }) => [...new Set([...ids, ...mediaIds])]
export const detach: Change = (ids, { mediaIds }) => ids.filter((id) => !mediaIds.includes(id))

/**
 * Changes one record. Retries once after a version conflict, on the newer version: adding to a list and removing from it undo nothing of what
 * another person saved.
 */
async function changeOne(records: Records, task: Task, change: Change): Promise<Outcome> {
  let read: { task: Task; title?: Text } = { task }
  for (let attempt = 1; ; attempt += 1) {
    try {
      // The second attempt needs the answer to the first.
      // oxlint-disable-next-line no-await-in-loop
      const { version, title, media_ids: before } = await records.get(task.id)
      read = { task, title }
      const after = change(before, task)
      const changed = task.mediaIds.filter((id) => before.includes(id) !== after.includes(id))
      if (changed.length === 0) return { ...read, state: 'unchanged' }
      // oxlint-disable-next-line no-await-in-loop
      await records.save(task.id, version, { media_ids: after })
      return { ...read, state: 'written', changed }
    } catch (problem) {
      const isConflict = problem instanceof ProblemError && problem.status === 412
      if (!isConflict || attempt > 1) return { ...read, state: 'refused', problem }
    }
  }
}

/** After these every other request would fail too: no connection, no session. */
const endsAll = (problem: unknown) => problem instanceof ProblemError && (problem.status === 0 || problem.status === 401)

/** Changes the records one after the other, until `isStopped`; each is written whole or not at all. */
export async function changeAll(
  records: Records,
  tasks: readonly Task[],
  change: Change,
  { isStopped, onOutcome }: { isStopped: () => boolean; onOutcome: (outcome: Outcome) => void },
): Promise<void> {
  for (const task of tasks) {
    if (isStopped()) return
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await changeOne(records, task, change)
    onOutcome(outcome)
    if (outcome.state === 'refused' && endsAll(outcome.problem)) return
  }
}
