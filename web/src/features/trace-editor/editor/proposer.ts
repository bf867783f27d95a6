import type { Route, Position } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { type MeasuredLine, measure, positionAt, sliceLine } from '@/records/map/line'
import { passages } from '../logic/locate'
import { measured } from '../logic/revision'
import { MARGINS_M, MOST_WAYS, type Proposal, type Proposals, type WaysRequest, doublesBack, isSameWay } from '../logic/ways'
import type { Services } from './services'
import { shownMeasured } from './shown'
import { type EditorState, present } from './state'

type StretchRequest = Extract<WaysRequest, { kind: 'ways' | 'avoid' }>
/** A way that avoids another one stays this far from it, metres. */
const AWAY_M = 20
/** An end or a leg that snaps farther than this is too far from the requested place, metres. */
const NEAR_M = 40

/** Requests other ways from the planner; a newer request cancels the one before. */
export class Proposer {
  readonly #services: Services
  readonly #get: () => EditorState
  readonly #publish: (proposals: Proposals | null) => void
  #current: AbortController | null = null

  constructor(services: Services, get: () => EditorState, publish: (proposals: Proposals | null) => void) {
    this.#services = services
    this.#get = get
    this.#publish = publish
  }

  stop(): void {
    this.#current?.abort()
    this.#current = null
    if (this.#get().proposals) this.#publish(null)
  }

  async ask(request: WaysRequest): Promise<void> {
    this.#current?.abort()
    const current = new AbortController()
    this.#current = current
    this.#publish({ request, state: 'asking', ways: [], highlighted: null, problem: null })
    try {
      const ways = await this.#ways(request, current.signal)
      if (this.#current === current) this.#publish({ request, state: 'ready', ways, highlighted: null, problem: null })
    } catch (error) {
      const problem = error instanceof ProblemError ? error : new ProblemError(0, { code: 'planner/no-way' })
      if (this.#current === current) this.#publish({ request, state: 'refused', ways: [], highlighted: null, problem })
    }
  }

  #ways(request: WaysRequest, signal: AbortSignal): Promise<Proposal[]> {
    if (request.kind === 'loop') return this.#loops(request, signal)
    return request.kind === 'ways' ? this.#alternatives(request, signal) : this.#around(request, signal)
  }

  async #loops({ start, profile, length_m }: Extract<WaysRequest, { kind: 'loop' }>, signal: AbortSignal): Promise<Proposal[]> {
    const found = await this.#services.loops({ start, profile, length_m, count: MOST_WAYS }, signal)
    return found.map((route) => ({ route, from_m: 0, to_m: 0, current: false }))
  }

  async #alternatives({ from_m, to_m, profile }: StretchRequest, signal: AbortSignal): Promise<Proposal[]> {
    const { shown, at } = this.#line()
    const points = placesOf(shown, [at(from_m), at(to_m)])
    const now = measure(sliceLine(shown, at(from_m), at(to_m)))
    const found = await this.#services.alternatives({ points, profile, count: MOST_WAYS }, signal)
    return found.map((route) => ({ route, from_m, to_m, current: isSameWay(route, now) }))
  }

  /**
   * The way around a stretch: left as late before it and joined as soon after it as the network allows.
   * Ways are closed from crossing to crossing, so that the line is first opened a little, then farther on the side that needs it.
   */
  async #around(request: StretchRequest, signal: AbortSignal): Promise<Proposal[]> {
    const line = this.#line()
    const bounds = boundsOf(this.#get(), request)
    const along = {
      line: line.shown.points.length > 1 ? sliceLine(line.shown, line.at(request.from_m), line.at(request.to_m)) : [],
      within_m: AWAY_M,
    }
    let [before, after] = [0, 0]
    let refusal: unknown = new ProblemError(422, { code: 'planner/no-way' })
    for (;;) {
      const from_m = Math.max(bounds.from_m, request.from_m - (MARGINS_M[before] ?? Infinity))
      const to_m = Math.min(bounds.to_m, request.to_m + (MARGINS_M[after] ?? Infinity))
      const wider = { before: from_m > bounds.from_m, after: to_m < bounds.to_m }
      const route = await this.#services
        .way({ points: placesOf(line.shown, [line.at(from_m), line.at(to_m)]), profile: request.profile, avoid: [{ along }] }, signal)
        .catch((error: unknown) => {
          refusal = error
          return null
        })
      if (signal.aborted) throw refusal
      const wrong = route ? this.#wrong(route, line, from_m, to_m) : { start: true, end: true }
      if (route && !(wrong.start && wider.before) && !(wrong.end && wider.after)) {
        if (isFar(route)) throw new ProblemError(422, { code: 'planner/no-way' })
        return [{ route, from_m, to_m, current: false }]
      }
      if (!(wrong.start && wider.before) && !(wrong.end && wider.after)) throw refusal
      if (wrong.start && wider.before) before += 1
      if (wrong.end && wider.after) after += 1
    }
  }

  /** At which end a detour begins elsewhere than asked, or goes back along the kept line. */
  #wrong(route: Route, { shown, at }: Line, fromM: number, toM: number): { start: boolean; end: boolean } {
    const first = route.legs[0]
    const kept = {
      before: sliceLine(shown, Math.max(0, at(fromM) - 300), at(fromM)),
      after: sliceLine(shown, at(toM), Math.min(shown.lengthM, at(toM) + 300)),
    }
    const back = doublesBack(route.geometry, kept.before, kept.after)
    return { start: back.start || (first?.snap_from_m ?? 0) > NEAR_M, end: back.end || (first?.snap_to_m ?? 0) > NEAR_M }
  }

  #line(): Line {
    const state = this.#get()
    const shown = shownMeasured(state)
    const working = measured(present(state))
    const at = (workingM: number): number => {
      if (shown.points === working.points) return workingM
      const place = positionAt(working, workingM)
      const about = (workingM / Math.max(1, working.lengthM)) * shown.lengthM
      const found = place ? passages(shown, place) : []
      return found.reduce((best, one) => (Math.abs(one.atM - about) < Math.abs(best - about) ? one.atM : best), found[0]?.atM ?? about)
    }
    return { shown, at }
  }
}

/** The shown line, which runs on the ways, and where a metre of the working line is on it. */
interface Line {
  readonly shown: MeasuredLine
  readonly at: (workingM: number) => number
}

const isFar = (route: Route): boolean => route.legs.some((leg) => leg.snap_from_m > NEAR_M || leg.snap_to_m > NEAR_M)

const placesOf = (line: MeasuredLine, atM: readonly number[]): Position[] =>
  atM.map((at) => positionAt(line, at)).filter((place) => place !== null)

/** Steps are passed whatever is kept out of: the stretch is opened up to its neighbours. */
function boundsOf(state: EditorState, { from_m, to_m }: StretchRequest): { from_m: number; to_m: number } {
  const revision = present(state)
  const stops = revision.steps.map((one) => one.at_m)
  return {
    from_m: Math.max(0, ...stops.filter((at) => at <= from_m + 1)),
    to_m: Math.min(measured(revision).lengthM, ...stops.filter((at) => at >= to_m - 1)),
  }
}
