import type { Parcours, Route, Position, Step, Trace, TraceAnalysis, TraceInspection } from '@/api/types'
import { setPayload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { measure } from '@/records/map/line'
import { aParcours, aStep } from '../../../../test/parcours'
import { aPayload } from '../../../../test/payload'
import { eastward } from '../logic/testing'
import type { PackedDraft } from '../logic/draft'
import type { Services } from './services'

/** What the running server would say of itself. */
export function payloadForTests(): void {
  setPayload(aPayload({ map: { ...aPayload().map, bbox: [1, 42, 2, 43], center: [1.5, 42.5] } }))
}

const line = eastward(101)

/** A parcours of ten kilometres with a favourite in its middle; it belongs to the user's white-label unless `change` differs. */
export function parcoursForTests(change: Partial<Parcours> = {}): Parcours {
  const step = (id: number, kind: Step['kind'], index: number, title: string): Step =>
    aStep({ id, kind, title: title === '' ? {} : { fr: title }, position: line[index] ?? [0, 0], at_m: index * 100 })
  return aParcours({
    white_label: { id: 1, name: 'Pays de Sauvelle' },
    structure: { id: 1, name: 'Sauvelle' },
    title: { fr: 'Le tour du lac' },
    steps: [step(1, 'departure', 0, 'La Halle'), step(2, 'favourite', 50, 'Le belvédère'), step(3, 'arrival', 100, '')],
    updated_by: { id: 2, name: 'Théo B.' },
    ...change,
  })
}

/** The server's answer for some legs: 90 % with two gaps that have remedies, or nothing in source mode. */
export function analysisForTests(over: readonly Position[], mode: 'planner' | 'source' = 'planner'): TraceAnalysis {
  const length = measure(over).lengthM
  const gap = (from: number, to: number, cause: 'no_way' | 'constant_shift') => ({
    cause,
    judged: true,
    from_m: from,
    to_m: to,
    length_m: to - from,
    max_offset_m: 60,
    points: (to - from) / 100,
    line: line.slice(from / 100, to / 100 + 1),
    fix: {
      kind: cause === 'no_way' ? ('follow_way' as const) : ('snap' as const),
      line: line.slice(from / 100, to / 100 + 1).map(([lon, lat]): Position => [lon, lat + 0.0003]),
      distance_m: to - from,
    },
    way_id: null,
  })
  const reliability = {
    percent: 90,
    not_calculable: null,
    judged_m: 10_000,
    on_network_m: 9000,
    hole_m: 0,
    outside_m: 0,
    sigma_m: 6,
    tolerance_m: 18,
    p95_offset_m: 9,
    gaps: [gap(2000, 2700, 'no_way'), gap(7000, 7300, 'constant_shift')],
    remarks: [],
  }
  return {
    line: [...over],
    planned_line: null,
    notice: null,
    distance_m: length,
    duration_s: mode === 'source' ? null : length,
    ascent_m: null,
    descent_m: null,
    min_ele_m: null,
    max_ele_m: null,
    reliability: mode === 'source' ? null : reliability,
    reliability_state: mode === 'source' ? 'source' : 'low',
    instructions: [],
    warnings: [],
  }
}

export function traceForTests(): Trace {
  const { notice: _, ...analysis } = analysisForTests(line)
  return {
    ...analysis,
    mode: 'planner',
    origin: 'imported',
    source_file: { name: 'lac.gpx', format: 'gpx', bytes: 10, points: 101, sha256: 'a' },
    distance_typed_m: null,
    duration_typed_s: null,
    profile: 'hiking',
    bbox: null,
    repairs: [],
    pieces: 1,
    computed_at: '2026-11-20T10:00:00Z',
    engine: 'embedded',
    data_date: '2026-11-14',
    revision: 1,
    source_line: line,
    legs: [{ kind: 'source', line }],
    planned_line: line,
    source_gaps: [],
  }
}

export const inspectionForTests = (change: Partial<TraceInspection> = {}): TraceInspection => ({
  format: 'gpx',
  name: null,
  points: 101,
  distance_m: 10_000,
  ascent_m: null,
  repairs: [],
  pieces: [{ points: 101, distance_m: 10_000, line }],
  gaps: [],
  waypoints: [],
  line,
  ...change,
})

/** A device that keeps drafts in memory. */
export function memoryDrafts() {
  const kept = new Map<number, PackedDraft>()
  return {
    kept,
    read: (id: number) => Promise.resolve(kept.get(id) ?? null),
    write: (draft: PackedDraft) => Promise.resolve(void kept.set(draft.parcours_id, draft)),
    forget: (id: number, keptAtMs: number) => Promise.resolve(void (kept.get(id)?.kept_at_ms === keptAtMs && kept.delete(id))),
  }
}

/** A leg between two points of the line, which are on the network. */
export function routeLegForTests(
  geometry: readonly Position[],
  from_index: number,
  to_index: number,
  change: Partial<Route['legs'][number]> = {},
): Route['legs'][number] {
  return {
    from_index,
    to_index,
    distance_m: 1,
    duration_s: 1,
    ascent_m: null,
    descent_m: null,
    snapped_from: geometry[from_index] ?? [0, 0],
    snapped_to: geometry[to_index] ?? [0, 0],
    snap_from_m: 0,
    snap_to_m: 0,
    ...change,
  }
}

/** A way of the planner along a line: half paved, half a path. */
export function routeForTests(geometry: Position[], change: Partial<Route> = {}): Route {
  const distance_m = measure(geometry).lengthM
  return {
    geometry,
    legs: [routeLegForTests(geometry, 0, geometry.length - 1, { distance_m })],
    distance_m,
    duration_s: distance_m,
    ascent_m: 120,
    descent_m: 120,
    elevation_source: 'dem',
    engine: 'embedded',
    data_date: null,
    surfaces: [
      { surface: 'paved', length_m: distance_m / 2 },
      { surface: 'ground', length_m: distance_m / 2 },
    ],
    way_kinds: [{ kind: 'path', length_m: distance_m }],
    instructions: [],
    ...change,
  }
}

/** A server that plans straight lines, and refuses places north of 43°. */
export function servicesForTests(change: Partial<Services> = {}): Services {
  return {
    route: (from, to) =>
      from[1] > 43 || to[1] > 43
        ? Promise.reject(new ProblemError(422, { code: 'planner/too-far' }))
        : Promise.resolve([from, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], to]),
    way: ({ points }) => Promise.resolve(routeForTests(points)),
    alternatives: ({ points }) =>
      Promise.resolve([routeForTests(points), routeForTests([...points.slice(0, 1), [1.55, 42.52], ...points.slice(1)])]),
    loops: ({ start: [lon, lat] }) =>
      Promise.resolve([
        routeForTests([
          [lon, lat],
          [lon + 0.02, lat],
          [lon + 0.02, lat + 0.02],
          [lon, lat],
        ]),
      ]),
    analyse: ({ legs, mode }) =>
      Promise.resolve(
        analysisForTests(
          legs.flatMap((leg, index) => (index === 0 ? leg.line : leg.line.slice(1))),
          mode,
        ),
      ),
    impact: () => Promise.resolve(null),
    save: (_id, version, input) =>
      Promise.resolve({
        trace: { ...traceForTests(), legs: input.legs },
        parcours: parcoursForTests({ version: version + 1, steps: parcoursForTests().steps.slice(0, input.steps?.length) }),
      }),
    inspect: () => Promise.resolve(inspectionForTests()),
    read: () => Promise.resolve({ trace: traceForTests(), parcours: parcoursForTests({ version: 9 }) }),
    drafts: memoryDrafts(),
    ...change,
  }
}
