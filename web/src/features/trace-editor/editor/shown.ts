import type { Position } from '@/api/types'
import { type Shown, patched, shownGaps, shownSteps } from '../logic/display'
import { type Gap, type LetteredGap, isKept, lettered, notJudged } from '../logic/gaps'
import { reasonOf } from '../logic/ignored'
import { ON_LINE_M } from '../logic/replace'
import { type MeasuredLine, measure, nearest } from '@/records/map/line'
import { type Revision, type Step, workingLine } from '../logic/revision'
import { type Analysed, type EditorState, present } from './state'
import { stepLabels } from '@/records/parcours/step-labels'

/** The last answer of a pure function, for as long as its arguments stay the same. */
function last<Args extends readonly unknown[], Out>(work: (...args: Args) => Out): (...args: Args) => Out {
  let before: { args: Args; out: Out } | null = null
  return (...args) => {
    if (before && before.args.length === args.length && before.args.every((one, index) => one === args[index])) return before.out
    before = { args, out: work(...args) }
    return before.out
  }
}

const noGaps: ShownGap[] = []

/** A gap as the screens show it; its own metres count along the working line, where its fix applies. */
export interface ShownGap extends LetteredGap {
  /** Its place along the shown line. */
  readonly shown: Shown
  readonly kept: boolean
  /** Kept off the network, on a way that is closed: it still costs its points. */
  readonly forced: boolean
  /** Why it is ignored; null when it is not decided. */
  readonly reason: string | null
}
export type ShownUnjudged = Gap & { readonly shown: Shown }

export interface ShownStep {
  readonly step: Step
  readonly label: string
  /** Metres along the line that is shown. */
  readonly at_m: number
  /** Metres to the line, for a step that is not on it. */
  readonly beside_m: number | null
}

const lineOf = last((legs: Revision['legs'], mode: Revision['mode'], analysed: Analysed | null): readonly Position[] => {
  const working = workingLine(legs)
  // The line the applications use: below the threshold that is the recording's own, so that one length is shown everywhere.
  const used = analysed?.line ?? []
  if (mode === 'source' || !analysed || analysed.of.mode === 'source' || used.length < 2) return working
  return analysed.of.legs === legs ? used : patched(used, workingLine(analysed.of.legs), working)
})

/** The line on the screen and in the applications: what the planner made of the working line where it guides, else the working line. */
export const shownLine = (state: EditorState): readonly Position[] => lineOf(present(state).legs, present(state).mode, state.analysed)

export const shownMeasured = (state: EditorState): MeasuredLine => measure(shownLine(state))

/** The one length that is shown: the typed one, else that of the line in use. */
export const toldLengthM = (state: EditorState): number => present(state).distance_typed_m ?? shownMeasured(state).lengthM

const stepsOf = last((line: readonly Position[], steps: readonly Step[]): ShownStep[] => {
  const whole = measure(line)
  const at = shownSteps(whole, steps)
  const labels = stepLabels(steps)
  const beside = (step: Step) => (line.length > 1 ? (nearest(whole, step.position)?.offsetM ?? 0) : 0)
  return steps.map((step, index) => ({
    step,
    label: labels[index] ?? '',
    at_m: at[index] ?? step.at_m,
    beside_m: beside(step) > ON_LINE_M ? beside(step) : null,
  }))
})

export const shownStepsOf = (state: EditorState): ShownStep[] => stepsOf(shownLine(state), present(state).steps)

/** Where the steps are along the line the applications use: the planned one where it guides, else the working line. */
export const stepsInUse = (state: EditorState): readonly { at_m: number }[] =>
  shownLine(state) === workingLine(present(state).legs) ? present(state).steps : shownStepsOf(state)

const gapsOf = last((line: readonly Position[], analysed: Analysed | null, revision: Revision): ShownGap[] => {
  if (!analysed?.reliability || analysed.reliability.not_calculable) return noGaps
  const places = shownGaps(measure(line), analysed.reliability.gaps)
  return lettered(analysed.reliability).map((gap) => ({
    ...gap,
    shown: placeOf(places, gap),
    kept: gap.cause !== 'forbidden' && isKept(gap, revision),
    forced: gap.cause === 'forbidden' && isKept(gap, revision),
    reason: reasonOf(gap, revision.ignored),
  }))
})

/** Lettering makes copies: a gap is recognised by its line. */
function placeOf(places: ReadonlyMap<Gap, Shown>, gap: Gap): Shown {
  for (const [one, place] of places) if (one.line === gap.line && one.from_m === gap.from_m) return place
  return { from_m: gap.from_m, to_m: gap.to_m }
}

/** Judged gaps with their letters, worst first, placed along the shown line. */
export const shownGapsOf = (state: EditorState): ShownGap[] => gapsOf(shownLine(state), state.analysed, present(state))

const unjudgedOf = last((line: readonly Position[], analysed: Analysed | null): ShownUnjudged[] => {
  if (!analysed?.reliability) return []
  const places = shownGaps(measure(line), analysed.reliability.gaps)
  return notJudged(analysed.reliability).map((gap) => ({ ...gap, shown: placeOf(places, gap) }))
})

const isOffOnPurpose = (gap: Gap): boolean => gap.cause === 'kept_off_network'
const holesOf = last((gaps: readonly ShownUnjudged[]): ShownUnjudged[] => gaps.filter((gap) => !isOffOnPurpose(gap)))
const keptOf = last((gaps: readonly ShownUnjudged[]): ShownUnjudged[] => gaps.filter(isOffOnPurpose))

/** What could not be judged, placed along the shown line. */
export const shownUnjudgedOf = (state: EditorState): ShownUnjudged[] => holesOf(unjudgedOf(shownLine(state), state.analysed))

/** A stretch that an editor keeps off the network on purpose: it does not count in the index. */
export const shownKeptOf = (state: EditorState): ShownUnjudged[] => keptOf(unjudgedOf(shownLine(state), state.analysed))
