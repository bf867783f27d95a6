import type { Instruction, Position, Trace } from '@/api/types'
import { stopIgnoring, ignore } from '../logic/ignored'
import { passages } from '../logic/locate'
import { type MeasuredLine, nearest, positionAt } from '@/records/map/line'
import * as operations from '../logic/operations'
import { type Revision, isClosed, leg, lengthM, measured, placeAt } from '../logic/revision'
import { type Spur, withoutSpur } from '../logic/spur'
import { join, keepBetween, split } from '../logic/stretch'
import { sourceOf } from '../logic/wire'
import type { ShownGap } from './shown'
import { shownMeasured } from './shown'
import { present } from './state'
import type { Editor } from './store'
import { stepLabels } from '@/records/parcours/step-labels'

/* What a click, a key or a field does. Each is one step of the history, and is announced to screen readers. */

/** In source mode the planner is not called: every new line is straight. */
const drawing = (revision: Revision, free: boolean): operations.Drawing => ({ free: free || revision.mode === 'source' })

const labelOf = (revision: Revision, key: number): string =>
  stepLabels(revision.steps)[revision.steps.findIndex((one) => one.key === key)] ?? ''

/** Runs an operation that makes a step, and chooses the step it made; returns its key. */
function make(editor: Editor, name: string, change: (revision: Revision) => { revision: Revision; key: number }): number | null {
  const made = change(present(editor.get()))
  if (made.key < 0) return null
  editor.act(name, () => made.revision, { id: 'added', step: labelOf(made.revision, made.key) })
  editor.set({ step: made.key })
  return made.key
}

/** Asks for the name of the step that was just made. */
function askName(editor: Editor, key: number | null): void {
  if (key !== null) editor.set({ naming: { key, names: [] } })
}

/** Adds a step on the line and asks for its name. */
export function addOnLine(editor: Editor, atM: number): void {
  askName(
    editor,
    make(editor, 'add', (revision) => operations.addOnLine(revision, atM, 'step')),
  )
}

/** Draws on to a place; a closed loop has no end to draw on from, and is bent instead. */
export function addAway(editor: Editor, place: Position, free: boolean): void {
  make(editor, 'add', (revision) => {
    const near = isClosed(revision) ? nearest(measured(revision), place) : null
    return near
      ? operations.bend(revision, near.atM, place, drawing(revision, free))
      : operations.append(revision, place, drawing(revision, free))
  })
}

/** Adds a step between two others and asks for its name, or draws on to a place: who draws goes on with the next place. */
export function addAfter(editor: Editor, key: number | null, place: Position): void {
  const made = make(editor, 'add', (revision) =>
    key === null
      ? operations.append(revision, place, drawing(revision, false))
      : operations.insertAfter(revision, key, place, drawing(revision, false)),
  )
  if (key !== null) askName(editor, made)
}

export function bendAt(editor: Editor, atM: number, place: Position, free: boolean): void {
  const revision = present(editor.get())
  const bent = operations.bend(revision, atM, place, drawing(revision, free))
  editor.act('bend', () => bent.revision, { id: 'bent' })
  editor.set({ step: bent.key })
}

/** Takes a step to a place: along the line when it is dropped on it, else the line follows. */
export function moveTo(editor: Editor, key: number, place: Position, options: { free: boolean; onLineWithinM: number }): void {
  const revision = present(editor.get())
  const index = revision.steps.findIndex((one) => one.key === key)
  const one = revision.steps[index]
  if (!one) return
  const between = {
    from_m: revision.steps[index - 1]?.at_m ?? 0,
    to_m: revision.steps[index + 1]?.at_m ?? lengthM(revision.legs),
    withinM: options.onLineWithinM,
  }
  const inner = index > 0 && index < revision.steps.length - 1
  const onLine = inner && !options.free ? nearest(measured(revision), place, between) : null
  const step = labelOf(revision, key)
  if (onLine) editor.act('move', (now) => operations.slideStep(now, key, onLine.atM), { id: 'slid', step })
  else editor.act('move', (now) => operations.moveStep(now, key, place, drawing(now, options.free)), { id: 'moved', step })
}

export function slideTo(editor: Editor, key: number, atM: number): void {
  const revision = present(editor.get())
  editor.act('move', (now) => operations.slideStep(now, key, atM), { id: 'slid', step: labelOf(revision, key) })
}

/** Removes a step and selects the one before it; returns its key, for the focus. */
export function remove(editor: Editor, key: number): number | null {
  const revision = present(editor.get())
  const index = revision.steps.findIndex((one) => one.key === key)
  const before = revision.steps[index - 1] ?? revision.steps[index + 1]
  editor.act('remove', (now) => operations.removeStep(now, key), { id: 'removed', step: labelOf(revision, key) })
  editor.set({ step: before?.key ?? null })
  return before?.key ?? null
}

export function reorderTo(editor: Editor, key: number, rank: number): void {
  const change = operations.reorderTo(present(editor.get()), key, rank)
  const moved = change.steps.find((one) => one.key === key)
  editor.act('reorder', () => change, { id: 'reordered', step: labelOf(change, key), km: moved?.at_m ?? 0 })
}

export function reverse(editor: Editor): void {
  editor.act('reverse', operations.reverse, { id: 'reversed' })
}

/** The user's answer about the ends is saved with the trace, and on the sheet too. */
export function sayLoop(editor: Editor, isLoop: boolean): void {
  editor.act('loopSaid', (revision) => ({ ...revision, is_loop: isLoop }), { id: isLoop ? 'loop' : 'oneWay' })
}

/** Takes a way there and back out of the line. */
export function removeSpur(editor: Editor, spur: Spur): void {
  editor.act('spur', (revision) => withoutSpur(revision, spur), { id: 'spur' })
}

export function closeLoop(editor: Editor): void {
  editor.act('close', (revision) => operations.closeLoop(revision, drawing(revision, false)), { id: 'closed' })
}

export function cut(editor: Editor, atM: number, keep: 'start' | 'end' | 'both'): void {
  if (keep === 'both') editor.act('split', (revision) => split(revision, atM), { id: 'split' })
  else
    editor.act(
      'cut',
      (revision) => (keep === 'start' ? keepBetween(revision, 0, atM) : keepBetween(revision, atM, lengthM(revision.legs))),
      { id: 'cut' },
    )
  editor.choose('select')
}

/** Merges the two stretches that meet at a joint. */
export function joinAt(editor: Editor, index: number): void {
  editor.act('join', (revision) => join(revision, index), { id: 'joined' })
}

export function trim(editor: Editor, fromM: number, toM: number): void {
  editor.act('trim', (revision) => keepBetween(revision, fromM, toM), { id: 'trimmed' })
  editor.choose('select')
}

export function drawFree(editor: Editor, fromM: number, toM: number, corners: readonly Position[] = []): void {
  editor.act('free', (revision) => operations.freeStretch(revision, fromM, toM, corners), { id: 'freed' })
}

export function takeOriginal(editor: Editor): void {
  const source = present(editor.get()).source?.line
  if (source) editor.act('original', (revision) => operations.takeOriginal(revision, source), { id: 'original' })
}

/** Takes the fixes of some gaps, from the end of the line backwards so that the metres of those before stay right. */
export function follow(editor: Editor, gaps: readonly ShownGap[]): void {
  const order = gaps.filter((gap) => gap.fix).toSorted((a, b) => b.from_m - a.from_m)
  const letters = gaps
    .map((gap) => gap.letter)
    .toSorted()
    .join(', ')
  const change = (revision: Revision) =>
    order.reduce((now, gap) => (gap.fix ? operations.followInstead(now, gap.from_m, gap.to_m, gap.fix.line) : now), revision)
  editor.act('follow', change, { id: 'followed', letter: letters })
  editor.set({ gap: null })
}

export function keep(editor: Editor, gap: ShownGap): void {
  editor.act('keep', (revision) => operations.keepAsRecorded(revision, gap.from_m, gap.to_m), { id: 'kept', letter: gap.letter })
  editor.set({ gap: null })
}

/** A stretch that was kept off the network is to be decided again. */
export function decideAgain(editor: Editor, gap: { readonly from_m: number; readonly to_m: number }): void {
  editor.act('again', (revision) => operations.judgeAgain(revision, gap.from_m, gap.to_m), { id: 'again' })
}

/** Replaces the trace by that of an earlier save, with its recording; nothing is saved yet. */
export function takePast(editor: Editor, past: Trace): void {
  const legs = past.legs.filter(({ line }) => line.length > 1).map(({ kind, line }) => leg(kind, line))
  editor.act('past', (revision) => ({ ...operations.withLegs(revision, legs), source: sourceOf(past) }), { id: 'past' })
}

export function ignoreGap(editor: Editor, gap: ShownGap, reason: string): void {
  editor.act('ignore', (revision) => ignore(revision, gap, reason), { id: 'ignored', letter: gap.letter })
  editor.set({ gap: null })
}

export function stopIgnoringGap(editor: Editor, gap: ShownGap): void {
  editor.act('heed', (revision) => stopIgnoring(revision, gap), { id: 'again' })
}

export function straighten(editor: Editor, gap: ShownGap): void {
  drawFree(editor, gap.from_m, gap.to_m)
}

export function setProfile(editor: Editor, profile: string): void {
  editor.act('profile', (revision) => operations.withProfile(revision, profile), { id: 'profile' })
}

export function setMode(editor: Editor, mode: Revision['mode']): void {
  editor.act('mode', (revision) => (revision.mode === mode ? revision : { ...revision, mode }), { id: 'mode' })
}

/** The place of the working line that corresponds to a place of the shown one: the passage at about the same share of the length. */
export function toWorking(editor: Editor, shown: { atM: number; position: Position }): number {
  const state = editor.get()
  const working = measured(present(state))
  const line = shownMeasured(state)
  if (line.points === working.points) return shown.atM
  return passageAt(working, shown.position, (shown.atM / Math.max(1, line.lengthM)) * working.lengthM)
}

function passageAt(line: MeasuredLine, place: Position, aboutM: number): number {
  const found = passages(line, place)
  return found.reduce((best, one) => (Math.abs(one.atM - aboutM) < Math.abs(best - aboutM) ? one.atM : best), found[0]?.atM ?? aboutM)
}

/** The effect of a press with the current tool, on the line (`hit`, metres of the working line) or away from it. */
export function press(editor: Editor, place: Position, hit: number | null, free: boolean): void {
  const state = editor.get()
  const { tool, pen } = state
  if (tool === 'measure') return editor.set({ pen: [...pen, place] })
  if (!state.parcours.editable || tool === 'layers') return
  if (tool === 'select' && hit !== null) return addOnLine(editor, hit)
  if (tool === 'step') return hit === null ? addAway(editor, place, free) : addOnLine(editor, hit)
  if (tool === 'cut' && hit !== null) return editor.set({ marks: [hit] })
  if ((tool === 'trim' || tool === 'avoid') && hit !== null) return markEnd(editor, hit)
  if (tool === 'ways' && hit !== null) return editor.set({ marks: [hit] })
  if (tool === 'loop') return editor.set({ pen: [place] })
  if (tool === 'free') pressFree(editor, place, hit)
}

/** The first of two ends, or the second; a third press begins again. */
function markEnd(editor: Editor, hit: number): void {
  const { marks } = editor.get()
  editor.dropProposals()
  editor.set({ marks: marks.length === 1 ? [...marks, hit] : [hit] })
}

function pressFree(editor: Editor, place: Position, hit: number | null): void {
  const { marks, pen } = editor.get()
  const start = marks[0]
  if (start === undefined && hit === null) addAway(editor, place, true)
  else if (start === undefined && hit !== null) editor.set({ marks: [hit] })
  else if (start !== undefined && hit !== null) drawFree(editor, start, hit, pen)
  else editor.set({ pen: [...pen, place] })
}

/** The line under the pen: straight, from where the tool began. */
export function penLine(state: { pen: readonly Position[]; marks: readonly number[] }, revision: Revision): Position[] {
  const start = state.marks[0] === undefined ? null : placeAt(revision, state.marks[0])
  return [...(start ? [start] : []), ...state.pen]
}

/** A sentence of the way as a step: a piece of advice, in each language it is known in. */
export function addTurn(editor: Editor, turn: Instruction): void {
  const atM = toWorking(editor, { atM: turn.at_m, position: turn.position })
  const title = Object.fromEntries(
    Object.entries({ fr: turn.fr, en: turn.en }).flatMap(([language, words]) => (words ? [[language, words.replace(/\.$/u, '')]] : [])),
  )
  make(editor, 'add', (revision) => {
    const made = operations.addOnLine(revision, atM, 'advice')
    return { ...made, revision: operations.withStep(made.revision, made.key, { title }) }
  })
}

/** Avoids the way of an instruction: its ends are marked for the tool. */
export function avoidAfter(editor: Editor, turn: Instruction): void {
  const line = shownMeasured(editor.get())
  const ends = [turn.at_m, turn.at_m + turn.length_m].flatMap((atM) => {
    const position = positionAt(line, atM)
    return position ? [toWorking(editor, { atM, position })] : []
  })
  editor.choose('avoid', ends)
}
