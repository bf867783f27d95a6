import type { Revision } from './revision'

/** Every state of the session: nothing is forgotten. States share their lines, so a step costs what it changed. */
export interface History {
  readonly past: readonly Entry[]
  readonly present: Entry
  readonly future: readonly Entry[]
}

/** A state, and the name of what led to it (« Annuler : déplacer l'étape »). */
export interface Entry {
  readonly revision: Revision
  readonly done: string
}

export const begin = (revision: Revision): History => ({ past: [], present: { revision, done: 'open' }, future: [] })

/** A new state; what was undone before is given up. An operation that changed nothing is no step. */
export function push(history: History, revision: Revision, done: string): History {
  if (revision === history.present.revision) return history
  return { past: [...history.past, history.present], present: { revision, done }, future: [] }
}

/** The same state with the planner's answer. It adds no entry to the history. */
export function amend(history: History, revision: Revision): History {
  return revision === history.present.revision ? history : { ...history, present: { ...history.present, revision } }
}

/** A key that is held down, or letters typed in one field, make one entry of the history. */
export function pushOrMerge(history: History, revision: Revision, done: string): History {
  if (history.present.done !== done || history.past.length === 0) return push(history, revision, done)
  return { ...history, present: { revision, done }, future: [] }
}

export function undo(history: History): History {
  const before = history.past.at(-1)
  if (!before) return history
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] }
}

export function redo(history: History): History {
  const after = history.future[0]
  if (!after) return history
  return { past: [...history.past, history.present], present: after, future: history.future.slice(1) }
}

/** Takes back the present state and forgets it: what a refused planner does, so the last good line stays. */
export function drop(history: History): History {
  const before = history.past.at(-1)
  return before ? { past: history.past.slice(0, -1), present: before, future: [] } : history
}

/** The sheet has another answer than before to whether it is a loop: each state keeps the one it was made with. */
export function keepLoop(history: History, before: boolean | null): History {
  const kept = (entry: Entry): Entry =>
    entry.revision.is_loop === null ? { ...entry, revision: { ...entry.revision, is_loop: before ?? 'unanswered' } } : entry
  return { past: history.past.map(kept), present: kept(history.present), future: history.future.map(kept) }
}

export const canUndo = (history: History): boolean => history.past.length > 0
export const canRedo = (history: History): boolean => history.future.length > 0
