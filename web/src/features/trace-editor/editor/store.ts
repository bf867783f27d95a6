import type { Parcours, Route, Position, Trace, TraceAnalysis, TraceInspection } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { pack, unpack } from '../logic/draft'
import { amend, begin, drop, keepLoop, push, pushOrMerge, redo, undo } from '../logic/history'
import { freeInstead } from '../logic/planning'
import { type Revision, emptyRevision, hasEnds, isPending } from '../logic/revision'
import { type WaysRequest, alongLine, take } from '../logic/ways'
import { type Fate, replaced } from '../logic/replace'
import { asSaved, fromServer, toInput, toRecording } from '../logic/wire'
import { Analyst } from './analyst'
import { Planner } from './planner'
import { Proposer } from './proposer'
import type { Importing, Pieces, Services } from './services'
import { shownMeasured, stepsInUse, toldLengthM } from './shown'
import { type Analysed, type EditorState, type SpokenAction, type Tool, isDirty, isLoop, present } from './state'

/** The pause after which a draft is stored. */
const DRAFT_PAUSE_MS = 1000
/** The longest that a save waits until the draft is deleted. */
const FORGET_MAX_MS = 2000
/** A way this much longer or shorter than the line is another one. */
const SAME_LENGTH = 0.03
const nothing: EditorState['looked'] = []

/** The data with which the page opens. */
export interface Opening {
  parcours: Parcours
  trace: Trace | null
  profile: string
}

/** The editor: one state, its operations, and the planner's answers. Depends on neither React nor the map. */
export class Editor {
  #state: EditorState
  readonly #services: Services
  readonly #listeners = new Set<() => void>()
  readonly #planner: Planner
  readonly #analyst: Analyst
  readonly #proposer: Proposer
  /** The user saw the effects of another line, and continues. */
  #impactShown = false
  #answer: (goOn: boolean) => void = () => undefined
  #draftTimer: ReturnType<typeof setTimeout> | undefined
  /** When this window began to write the draft that it kept last, or when the one was kept that it took up. */
  #ownDraftAtMs: number | null = null
  /** Ends with the last write or deletion of the draft. Each waits for the one before: a deletion would miss a draft that is still being written. */
  #draftWork: Promise<void> = Promise.resolve()
  #toSay: SpokenAction | null = null
  #turn = 0
  #started = false
  #running: Promise<boolean> | null = null

  constructor(opening: Opening, services: Services) {
    this.#services = services
    const revision = fromServer(opening.trace, opening.parcours, opening.profile)
    this.#state = {
      history: begin(revision),
      saved: revision,
      parcours: opening.parcours,
      trace: opening.trace,
      analysed: opening.trace ? analysedFrom(opening.trace, revision) : null,
      analysis: 'idle',
      planning: false,
      failure: null,
      saving: 'idle',
      saveProblem: null,
      impact: null,
      conflict: null,
      draftKeptAtMs: null,
      found: 'none',
      said: null,
      tool: opening.trace === null && opening.parcours.editable ? 'step' : 'select',
      step: null,
      gap: null,
      preview: [],
      pen: [],
      marks: [],
      look: null,
      view: null,
      naming: null,
      proposals: null,
      turn: null,
      looked: nothing,
      compared: null,
      layers: { source: true, steps: true, gaps: true },
    }
    this.#planner = new Planner(services.route, {
      busy: (planning) => this.set({ planning }),
      answered: (resolved) => this.#answered(resolved),
      refused: (problem, refused) => this.#refused(problem, refused),
    })
    const about = ({ source }: Revision) => ({
      practice_type_id: this.#state.parcours.practice_type_id,
      is_loop: isLoop(this.#state),
      ...toRecording(source, this.#state.trace, this.#state.parcours.id),
    })
    this.#analyst = new Analyst(services.analyse, about, {
      running: () => this.set({ analysis: 'running' }),
      done: (analysed) => this.#analysed(analysed),
      failed: () => this.#analysisFailed(),
    })
    this.#proposer = new Proposer(services, this.get, (proposals) => this.set({ proposals }))
    if (this.#state.analysed) this.#analyst.know(this.#state.analysed)
  }

  readonly get = (): EditorState => this.#state
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  set(change: Partial<EditorState>): void {
    this.#state = { ...this.#state, ...change }
    this.#listeners.forEach((listener) => listener())
  }

  /** Fetches the missing parts of the opening state, and the draft on the device. */
  async start(): Promise<void> {
    if (!this.#started) {
      this.#started = true
      await this.#resumeDraft()
    }
    this.#follow()
  }

  stop(): void {
    clearTimeout(this.#draftTimer)
    this.#planner.stop()
    this.#analyst.stop()
    this.#proposer.stop()
  }

  /** One operation, one entry of the history. `merge` makes one entry of letters typed in one field. */
  act(name: string, change: (revision: Revision) => Revision, announcement: SpokenAction | null = null, merge = false): void {
    if (!this.#state.parcours.editable) return
    const next = change(present(this.#state))
    if (next === present(this.#state)) return
    const history = merge ? pushOrMerge(this.#state.history, next, name) : push(this.#state.history, next, name)
    this.#proposer.stop()
    this.set({ history, failure: null, saveProblem: null, preview: [], marks: [], pen: [], turn: null })
    this.#follow()
    this.say(announcement)
  }

  undo(): void {
    this.#travel(undo(this.#state.history), 'undone', this.#state.history.present.done)
  }

  redo(): void {
    this.#travel(redo(this.#state.history), 'redone', this.#state.history.future[0]?.done ?? '')
  }

  #travel(history: EditorState['history'], id: 'undone' | 'redone', what: string): void {
    if (history === this.#state.history) return
    const step = history.present.revision.steps.some((one) => one.key === this.#state.step) ? this.#state.step : null
    this.#proposer.stop()
    this.set({ history, failure: null, saveProblem: null, preview: [], marks: [], step, turn: null })
    this.#follow()
    this.say({ id, what })
  }

  /** Moves the view of the map: all of the trace, nearer, farther. */
  show(of: 'all' | 'in' | 'out'): void {
    this.set({ view: { of, turn: (this.#state.view?.turn ?? 0) + 1 } })
  }

  choose(tool: Tool, marks: readonly number[] = []): void {
    this.#proposer.stop()
    this.set({ tool, pen: [], marks, preview: [] })
  }

  /** Requests other ways from the planner; nothing changes until one is accepted. */
  propose(request: WaysRequest): void {
    void this.#proposer.ask(request)
  }

  /** The ground along the planned line, as the planner knows its ways; null where it would take others. */
  async ground(signal: AbortSignal): Promise<Route | null> {
    const line = shownMeasured(this.#state)
    const route = await this.#services.way({ points: alongLine(line), profile: present(this.#state).profile }, signal)
    return Math.abs(route.distance_m / Math.max(1, line.lengthM) - 1) < SAME_LENGTH ? route : null
  }

  /** Nothing is proposed any more. */
  dropProposals(): void {
    this.#proposer.stop()
  }

  /** The proposal of this rank replaces the requested stretch: one entry of the history. */
  acceptProposal(rank: number): void {
    const { proposals } = this.#state
    const proposal = proposals?.ways[rank]
    if (!proposals || !proposal) return
    const { kind } = proposals.request
    const [name, id] = { ways: ['way', 'tookWay'] as const, avoid: ['avoid', 'avoided'] as const, loop: ['loop', 'tookLoop'] as const }[
      kind
    ]
    this.act(name, (revision) => take(revision, proposal, kind), { id, number: String(rank + 1) })
    this.choose('select')
  }

  /** Announces an action to screen readers, once the figures of the sentence are known. */
  say(announcement: SpokenAction | null): void {
    if (announcement === null) return
    this.#toSay = announcement
    if (this.#state.analysis !== 'running' && !isPending(present(this.#state))) this.#sayNow()
  }

  #sayNow(): void {
    if (this.#toSay === null) return
    this.#turn += 1
    const reliability = this.#state.analysed?.reliability
    const percent = reliability && !reliability.not_calculable ? reliability.percent : null
    this.set({ said: { what: this.#toSay, turn: this.#turn, length_m: toldLengthM(this.#state), percent } })
    this.#toSay = null
  }

  /** The planner for what waits, the analysis for what doesn't, the draft for both. */
  #follow(): void {
    const revision = present(this.#state)
    this.#planner.follow(revision)
    if (revision.legs.length === 0) this.#nothingToJudge()
    else if (!isPending(revision)) this.#analyst.follow(revision)
    clearTimeout(this.#draftTimer)
    if (isDirty(this.#state)) this.#draftTimer = setTimeout(() => void this.keepDraft(), DRAFT_PAUSE_MS)
    else if (this.#state.draftKeptAtMs !== null) void this.#forgetDraft()
  }

  /** What was undone does not come back with the next visit. */
  #forgetDraft(): Promise<void> {
    this.set({ draftKeptAtMs: null })
    const [parcoursId, kept] = [this.#state.parcours.id, this.#ownDraftAtMs]
    if (kept === null) return Promise.resolve()
    this.#ownDraftAtMs = null
    this.#draftWork = this.#draftWork.then(() => this.#services.drafts.forget(parcoursId, kept)).catch(() => undefined)
    return this.#draftWork
  }

  #nothingToJudge(): void {
    this.#analyst.stop()
    this.set({ analysed: null, analysis: 'idle' })
    this.#sayNow()
  }

  #answered(resolve: (revision: Revision) => Revision): void {
    this.set({ history: amend(this.#state.history, resolve(present(this.#state))), failure: null })
    this.#follow()
  }

  /** The last good line stays: the refused change is undone. */
  #refused(problem: ProblemError, refused: Revision): void {
    this.#toSay = null
    const { done } = this.#state.history.present
    const back = drop(this.#state.history)
    const history = back === this.#state.history ? amend(back, freeInstead(refused)) : back
    this.set({ history, failure: { problem, refused, done } })
    this.#follow()
  }

  /** The planner's line for the preview of a drag; answers are cached for the drop. */
  ghostLine(from: Position, to: Position, signal: AbortSignal): Promise<Position[]> {
    return this.#planner.line({ from, to, profile: present(this.#state).profile }, signal)
  }

  /** Does the refused change again. Any other change since has taken the refusal away. */
  again(): void {
    const { failure } = this.#state
    const refused = failure?.refused
    if (refused) this.act(failure.done, () => refused)
    else this.set({ failure: null })
  }

  /** « Passer en tronçon libre ». */
  takeFree(): void {
    const refused = this.#state.failure?.refused
    if (refused) this.act('free', () => freeInstead(refused), { id: 'freed' })
  }

  #analysed(analysed: Analysed): void {
    this.set({ analysed, analysis: 'idle' })
    this.#sayNow()
  }

  #analysisFailed(): void {
    this.set({ analysis: 'failed' })
    this.#sayNow()
  }

  analyseAgain(): void {
    this.#analyst.again(present(this.#state))
  }

  /** Stores the whole history on the device. */
  keepDraft(): Promise<void> {
    const { history, parcours } = this.#state
    const kept = Date.now()
    this.#ownDraftAtMs = kept
    const written = this.#draftWork.then(() =>
      this.#services.drafts.write(pack(history, { parcours_id: parcours.id, base_version: parcours.version, kept_at_ms: kept })),
    )
    this.#draftWork = written.then(
      () => {
        if (this.#ownDraftAtMs === kept) this.set({ draftKeptAtMs: kept })
      },
      // A private window keeps no draft: the line under the title then says nothing was kept.
      () => this.set({ draftKeptAtMs: null }),
    )
    return this.#draftWork
  }

  async #resumeDraft(): Promise<void> {
    const { parcours } = this.#state
    const draft = parcours.editable ? await this.#services.drafts.read(parcours.id).catch(() => null) : null
    if (!draft) return
    const history = unpack(draft)
    this.#ownDraftAtMs = draft.kept_at_ms
    const found = draft.base_version === parcours.version ? 'resumed' : 'older'
    // The first state of the draft is the one that was saved when it began. The one saved now replaces it.
    const past = [this.#state.history.present, ...history.past.slice(1)]
    this.set({ history: { ...history, past }, found, draftKeptAtMs: draft.kept_at_ms, tool: 'select' })
  }

  /** Back to the saved state: the draft is deleted, but undo still restores it. */
  async dropDraft(): Promise<void> {
    this.set({ history: push(this.#state.history, this.#state.saved, 'saved'), found: 'none' })
    const forgotten = this.#forgetDraft()
    this.#follow()
    await forgotten
  }

  /** Saves; false when it was refused, with the reason in the state. While one save runs, another one is the same. */
  save(forced: boolean, overVersion?: number): Promise<boolean> {
    this.#running ??= this.#save(forced, overVersion).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #save(forced: boolean, overVersion?: number): Promise<boolean> {
    if (!(await this.#planned())) return false
    const revision = present(this.#state)
    const missing = whatIsMissing(this.#state)
    if (missing) {
      this.set({ saveProblem: new ProblemError(422, { code: missing }) })
      return false
    }
    if (!(await this.#mayReachOthers(revision))) return false
    this.set({ saving: 'running', saveProblem: null })
    try {
      const { parcours } = this.#state
      const done = await this.#services.save(
        parcours.id,
        overVersion ?? parcours.version,
        toInput(revision, forced, stepsInUse(this.#state), this.#state.trace),
      )
      await this.#savedAs(done.trace, done.parcours, revision)
      return true
    } catch (error) {
      this.#saveFailed(error)
      return false
    }
  }

  /** Waits for the planner's answer to the last change; false where it refuses it. */
  async #planned(): Promise<boolean> {
    while (isPending(present(this.#state))) {
      await new Promise<void>((changed) => {
        const stop = this.subscribe(() => {
          stop()
          changed()
        })
      })
      if (this.#state.failure !== null) return false
    }
    return true
  }

  /** Another line may affect other content: the user is asked, once for each time the editor is opened. */
  async #mayReachOthers(revision: Revision): Promise<boolean> {
    if (this.#impactShown || revision.legs === this.#state.saved.legs) return true
    const impact = await this.#services.impact(this.#state.parcours.id).catch(() => null)
    if (impact === null) return true
    this.set({ impact })
    this.#impactShown = await new Promise<boolean>((answer) => {
      this.#answer = answer
    })
    this.set({ impact: null })
    return this.#impactShown
  }

  answerImpact(goOn: boolean): void {
    this.#answer(goOn)
  }

  /** Ends once the draft is deleted: who reads that the trace is saved may reload the page at once. */
  async #savedAs(trace: Trace, parcours: Parcours, revision: Revision): Promise<void> {
    clearTimeout(this.#draftTimer)
    const saved = asSaved(revision, trace, parcours.steps)
    const unchanged = present(this.#state) === revision
    const before = this.#state.parcours.is_loop
    const kept = parcours.is_loop === before ? this.#state.history : keepLoop(this.#state.history, before)
    const history = unchanged ? amend(kept, saved) : kept
    const analysed = analysedFrom(trace, saved)
    this.#analyst.know(analysed)
    this.set({
      history,
      saved,
      parcours,
      trace,
      saving: 'idle',
      conflict: null,
      found: 'none',
      ...(unchanged ? { analysed } : {}),
    })
    const forgotten = this.#forgetDraft()
    this.say({ id: 'saved' })
    this.#follow()
    await Promise.race([forgotten, new Promise((over) => setTimeout(over, FORGET_MAX_MS))])
  }

  #saveFailed(error: unknown): void {
    const problem = error instanceof ProblemError ? error : new ProblemError(0, { code: 'internal' })
    if (problem.status === 412 && isParcours(problem.current)) this.set({ saving: 'idle', conflict: problem.current })
    else this.set({ saving: 'idle', saveProblem: problem })
  }

  /** Loads the version saved by another user; undo restores the local one. */
  async takeTheirs(): Promise<void> {
    const now = await this.#services.read(this.#state.parcours.id)
    this.#replace(now.trace, now.parcours, 'theirs', { id: 'opened' })
  }

  /** Reads a file without writing anything, and shows its line on the map until `lookAway`. */
  async inspect(file: File, withoutRepairs: readonly string[] = []): Promise<TraceInspection> {
    const read = await this.#services.inspect(file, withoutRepairs)
    this.set({ looked: read.pieces.length > 0 ? read.pieces.map((piece) => piece.line) : [read.line] })
    return read
  }

  /** The planner's reliability and climb for a line that is not accepted yet. */
  judge(line: readonly Position[], signal: AbortSignal): Promise<TraceAnalysis> {
    const { practice_type_id } = this.#state.parcours
    const is_loop = isLoop(this.#state)
    const legs = [{ kind: 'source' as const, line: [...line] }]
    const { profile } = present(this.#state)
    return this.#services.analyse(
      { legs, ignored_gaps: [], mode: 'planner', profile, practice_type_id, is_loop, parcours_id: null, source_revision: null },
      signal,
    )
  }

  lookAway(): void {
    this.set({ looked: nothing })
  }

  /** A recording takes the place of the line, in the draft: nothing is written before the trace is saved. */
  async importFile(
    file: File,
    read: TraceInspection,
    { pieces, withoutRepairs }: Importing,
    fates: ReadonlyMap<number, Fate>,
  ): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const line = lineOfPieces(read, pieces)
    const source = { revision: null, sha256: null, line, file: { name: file.name, bytes, join: pieces, without_repairs: withoutRepairs } }
    this.set({ tool: 'select', step: null, gap: null })
    this.act('import', (revision) => replaced(revision, source, line, fates, read.waypoints), { id: 'imported' })
  }

  #replace(trace: Trace | null, parcours: Parcours, name: string, announcement: SpokenAction): void {
    const revision = trace ? fromServer(trace, parcours, present(this.#state).profile) : emptyRevision(present(this.#state).profile)
    const analysed = trace ? analysedFrom(trace, revision) : null
    if (analysed) this.#analyst.know(analysed)
    this.set({
      history: push(this.#state.history, revision, name),
      saved: revision,
      parcours,
      trace,
      analysed,
      conflict: null,
      failure: null,
      found: 'none',
      tool: 'select',
      step: null,
      gap: null,
      pen: [],
      marks: [],
    })
    this.say(announcement)
    this.#follow()
  }
}

/** The line of a file once it is decided how to treat its separate pieces, as the server reads it. */
export function lineOfPieces(read: TraceInspection, pieces: Pieces | null): Position[] {
  const [first] = read.pieces
  if (!first || pieces === 'true') return read.line
  if (pieces !== 'longest') return first.line
  return read.pieces.reduce((longest, piece) => (piece.distance_m >= longest.distance_m ? piece : longest), first).line
}

/** Why the trace cannot be saved yet, as the server would say it. */
function whatIsMissing(state: EditorState): string | null {
  const revision = present(state)
  if (!hasEnds(revision)) return 'trace/ends-required'
  const figures = state.analysed
  const distance = revision.distance_typed_m ?? figures?.distance_m
  const duration = revision.duration_typed_s ?? figures?.duration_s
  return revision.mode === 'source' && (!distance || !duration) ? 'trace/distance-duration-required' : null
}

function analysedFrom(trace: Trace, revision: Revision): Analysed {
  const figures: TraceAnalysis = {
    line: trace.line,
    planned_line: trace.planned_line,
    distance_m: trace.distance_m,
    duration_s: trace.duration_s,
    ascent_m: trace.ascent_m,
    descent_m: trace.descent_m,
    min_ele_m: trace.min_ele_m,
    max_ele_m: trace.max_ele_m,
    reliability: trace.reliability,
    reliability_state: trace.reliability_state,
    instructions: trace.instructions,
    warnings: [],
    notice: trace.notice ?? null,
  }
  return { ...figures, of: { legs: revision.legs, mode: revision.mode, profile: revision.profile } }
}

function isParcours(value: unknown): value is Parcours {
  return typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'number' && 'steps' in value
}
