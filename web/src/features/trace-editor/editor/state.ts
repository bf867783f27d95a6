import type { Impact, Instruction, Parcours, Position, Trace, TraceAnalysis } from '@/api/types'
import type { ProblemError } from '@/api/problem'
import type { History } from '../logic/history'
import type { Revision } from '../logic/revision'
import type { Proposals } from '../logic/ways'

/** One letter each, in the order of the bar; closures have a separate screen. */
export const tools = {
  select: 'V',
  step: 'A',
  free: 'L',
  cut: 'C',
  trim: 'R',
  ways: 'P',
  avoid: 'E',
  loop: 'B',
  measure: 'M',
  layers: 'K',
} as const
export type Tool = keyof typeof tools
/** Tools that request proposals from the planner: their panel replaces the list of steps. */
export type WayTool = 'ways' | 'avoid' | 'loop'
export const isWayTool = (tool: Tool): tool is WayTool => tool === 'ways' || tool === 'avoid' || tool === 'loop'

/** The announcement for screen readers after an action; `trace:said.<id>`. */
export type SpokenAction =
  | { id: 'added' | 'moved' | 'removed' | 'renamed' | 'slid'; step: string }
  | { id: 'reordered'; step: string; km: number }
  | {
      id:
        | 'bent'
        | 'loop'
        | 'oneWay'
        | 'spur'
        | 'reversed'
        | 'trimmed'
        | 'cut'
        | 'split'
        | 'joined'
        | 'closed'
        | 'freed'
        | 'original'
        | 'imported'
        | 'saved'
        | 'profile'
        | 'mode'
        | 'changed'
        | 'opened'
        | 'past'
        | 'again'
    }
  | { id: 'followed' | 'kept' | 'ignored'; letter: string }
  | { id: 'tookWay' | 'tookLoop' | 'avoided'; number: string }
  | { id: 'undone' | 'redone'; what: string }

/** The server's analysis of a working revision. */
export interface Analysed extends TraceAnalysis {
  /** The revision it is about: other legs, mode or profile make it old. */
  readonly of: Pick<Revision, 'legs' | 'mode' | 'profile'>
}

/** A refusal, shown where the person works. */
export interface Failure {
  readonly problem: ProblemError
  /** The refused change: the user can still make it as a free stretch. */
  readonly refused: Revision | null
  /** The name of the change in the history. */
  readonly done: string
}

/** An announcement, with the figures of that moment. */
export interface Announcement {
  readonly what: SpokenAction
  readonly turn: number
  readonly length_m: number
  readonly percent: number | null
}

export interface EditorState {
  readonly history: History
  /** The state on the server. */
  readonly saved: Revision
  readonly parcours: Parcours
  /** The trace as the server last returned it: its file, its repairs, its original line. */
  readonly trace: Trace | null
  readonly analysed: Analysed | null
  readonly analysis: 'idle' | 'running' | 'failed'
  readonly planning: boolean
  readonly failure: Failure | null
  readonly saving: 'idle' | 'running'
  /** Refused by the server, or by our own check before it. */
  readonly saveProblem: ProblemError | null
  readonly conflict: Parcours | null
  /** The effects of the new line, while the user is asked. */
  readonly impact: Impact | null
  readonly draftKeptAtMs: number | null
  /** A draft found on the device at opening. */
  readonly found: 'none' | 'resumed' | 'older'
  readonly said: Announcement | null
  readonly tool: Tool
  readonly step: number | null
  readonly gap: string | null
  /** The letters of the fixes that are shown as a preview. */
  readonly preview: readonly string[]
  /** Places clicked with the free or the measuring tool. */
  readonly pen: readonly Position[]
  /** A place of the working line for a tool: where to cut, what to keep. */
  readonly marks: readonly number[]
  /** A place to show on the map, requested from outside the map. */
  readonly look: Position | null
  /** The requested view of the map; each request has a new number. */
  readonly view: { readonly of: 'all' | 'in' | 'out'; readonly turn: number } | null
  /** The step that was just placed: the editor asks for its name, and proposes names of the map around it. */
  readonly naming: { readonly key: number; readonly names: readonly string[] } | null
  /** The planner's proposal, while it is shown. */
  readonly proposals: Proposals | null
  /** The instruction whose place is shown. */
  readonly turn: Instruction | null
  /** Two versions that are compared: the older one's line, and the newer one's where it is not the one in use. */
  readonly compared: { readonly older: readonly Position[]; readonly newer: readonly Position[] | null } | null
  /** The pieces of a file that is looked at before it is brought in. */
  readonly looked: readonly (readonly Position[])[]
  readonly layers: { readonly source: boolean; readonly steps: boolean; readonly gaps: boolean }
}

export const present = (state: EditorState): Revision => state.history.present.revision

/** Loop or one way: the answer given here, else that of the sheet. */
export function isLoop(state: EditorState): boolean | null {
  const answered = present(state).is_loop
  return answered === 'unanswered' ? null : (answered ?? state.parcours.is_loop)
}

/** Whether something would be lost by leaving. */
export const isDirty = (state: EditorState): boolean => present(state) !== state.saved

/** Whether the analysis is of the trace on the screen. */
export function isFresh(state: EditorState): boolean {
  const now = present(state)
  const of = state.analysed?.of
  return of !== undefined && of.legs === now.legs && of.mode === now.mode && of.profile === now.profile
}
