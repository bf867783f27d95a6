import { api, asBytes, ifMatch, unwrap } from '@/api/client'
import { long, longBody, unwrapLong } from '@/api/long/long'
import type {
  AnalysisInput,
  Impact,
  Parcours,
  Route,
  Position,
  RouteInput,
  Trace,
  TraceAnalysis,
  TraceInput,
  TraceInspection,
} from '@/api/types'
import { ProblemError } from '@/api/problem'
import { readImpact, reaches } from '@/records/impact/impact'
import { deviceDrafts } from '../logic/draft-store'
import type { DraftStore } from '../logic/draft'

/** The current trace, with the version of its parcours. */
export interface Saved {
  trace: Trace
  parcours: Parcours
}

/** The user's choice for the pieces of a file that are apart. */
export type Pieces = 'true' | 'first' | 'longest'

/** How a file is brought in. */
export interface Importing {
  readonly pieces: Pieces | null
  /** Repairs to leave undone, by their names. */
  readonly withoutRepairs: readonly string[]
}

/** The outside functions of the editor: server and device. Tests pass their own. */
export interface Services {
  readonly route: (from: Position, to: Position, profile: string, signal: AbortSignal) => Promise<Position[]>
  /** The best way through points, with all that is known of it. */
  readonly way: (request: RouteInput, signal: AbortSignal) => Promise<Route>
  /** The best way between two points and others, the best first. */
  readonly alternatives: (request: RouteInput & { count: number }, signal: AbortSignal) => Promise<Route[]>
  readonly loops: (request: { start: Position; profile: string; length_m: number; count: number }, signal: AbortSignal) => Promise<Route[]>
  readonly analyse: (request: AnalysisInput, signal: AbortSignal) => Promise<TraceAnalysis>
  /** The effects of another line; null without any. */
  readonly impact: (id: number) => Promise<Impact | null>
  readonly save: (id: number, version: number, input: TraceInput) => Promise<Saved>
  readonly inspect: (file: File, withoutRepairs: readonly string[]) => Promise<TraceInspection>
  /** The parcours with its trace; `known` is the parcours as it was last read. */
  readonly read: (id: number, known?: Parcours) => Promise<Saved | { trace: null; parcours: Parcours }>
  readonly drafts: DraftStore
}

const leftUndone = (repairs: readonly string[]): { without_repairs?: string } =>
  repairs.length === 0 ? {} : { without_repairs: repairs.join(',') }

const readParcours = (id: number): Promise<Parcours> => unwrap(api.GET('/api/v1/parcours/{id}', { params: { path: { id } } }))

/** The server answers 404 with a specific code for a parcours without a trace. */
export async function readTrace(id: number): Promise<Trace | null> {
  try {
    return await unwrapLong(api.GET('/api/v1/parcours/{id}/trace', { params: { path: { id } }, ...long }))
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'parcours/no-trace') return null
    throw error
  }
}

export const liveServices: Services = {
  async route(from, to, profile, signal) {
    const route = await unwrap(api.POST('/api/v1/planner/route', { body: { points: [from, to], profile }, signal }))
    return route.geometry
  },
  way: (body, signal) => unwrap(api.POST('/api/v1/planner/route', { body, signal })),
  alternatives: (body, signal) => unwrap(api.POST('/api/v1/planner/alternatives', { body, signal })),
  loops: (body, signal) => unwrap(api.POST('/api/v1/planner/loops', { body, signal })),
  analyse: async (request, signal) =>
    unwrapLong(api.POST('/api/v1/planner/analysis', { ...(await longBody(request, request.legs)), signal, ...long })),
  async impact(id) {
    const impact = await readImpact('parcours', id, 'change_trace')
    return impact !== null && reaches(impact) ? impact : null
  },
  async save(id, version, input) {
    const sent = await longBody(input, input.legs)
    const trace = await unwrapLong(
      api.PUT('/api/v1/parcours/{id}/trace', { params: { path: { id }, header: ifMatch(version) }, ...sent, ...long }),
    )
    return { trace, parcours: await readParcours(id) }
  },
  inspect: (file, without) =>
    unwrapLong(
      api.POST('/api/v1/traces/inspections', {
        params: { query: { file_name: file.name, ...leftUndone(without) } },
        body: file,
        ...asBytes,
        ...long,
      }),
    ),
  async read(id, known) {
    // Asked for at once, unless the parcours had no trace. A save between the two answers would leave them apart: the trace is then
    // read again.
    const beside = known?.trace === null ? null : readTrace(id)
    beside?.catch(() => undefined)
    const parcours = await readParcours(id)
    if (parcours.trace === null) return { trace: null, parcours }
    const trace = await beside
    return { trace: trace?.revision === parcours.trace.revision ? trace : await readTrace(id), parcours }
  },
  drafts: deviceDrafts,
}
