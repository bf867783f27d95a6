import type { FieldReport, LngLat, Trace } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { ProblemError } from '@/api/problem'
import { ensureTexts, textFor } from '@/i18n'
import type { Values } from '@/records/form/paths'
import { DEGREE_M, simplify } from '@/records/map/geo'
import { measure, sliceLine } from '@/records/map/line'
import { calendarToday, textOf } from '@/ui/format'
import { geometryOf, type Geometry } from './GeometryField'

/** The initial length of a closure before and behind the place of a report, metres. */
const REACH_M = 50
/** Off the parcours, the distance from the place to the sides of the closed square, metres. */
const AROUND_M = 25
const TOLERANCE_M = 3

/** The initial values of a closure: those of a field report, of a ground record (`releve`), or none. */
export function prefill({ parcours, report, releve }: Record<string, string>): Promise<Values> {
  if (releve !== undefined) return fromEntry(releve)
  return parcours === undefined || report === undefined ? Promise.resolve({}) : fromReport(parcours, report)
}

/** The initial values of a closure that answers a field report: place, kind and text of the report. */
async function fromReport(parcours: string, report: string): Promise<Values> {
  const [found, sheet] = await Promise.all([
    unwrap(
      api.GET('/api/v1/parcours/{id}/field-reports/{report_id}', { params: { path: { id: Number(parcours), report_id: Number(report) } } }),
    ),
    unwrap(api.GET('/api/v1/parcours/{id}', { params: { path: { id: Number(parcours) } } })),
    ensureTexts('reviews'),
  ])
  const geometry = await placeOf(found, Number(parcours))
  const kind = textFor(`reviews:reports.kind.${found.kind}`) ?? ''
  return {
    report_id: found.id,
    title: { fr: titleOf(kind, textOf(sheet.title, '')) },
    kind: 'other',
    reason: found.text === '' ? {} : { [found.language]: found.text },
    from: calendarToday(),
    geometry,
  }
}

/** The initial values of a closure that was recorded on the ground: stretch, kind, text and days. */
async function fromEntry(id: string): Promise<Values> {
  const [{ items }] = await Promise.all([unwrap(api.GET('/api/v1/ground/entries', { params: { query: { id } } })), ensureTexts('closures')])
  const entry = items[0]
  if (entry === undefined || entry.parcours === null || entry.closure_kind == null) return {}
  const { parcours, closure_kind, text, language, until, from_m, to_m, made_at } = entry
  return {
    title: { fr: titleOf(textFor(`closures:kind.${closure_kind}`) ?? '', textOf(parcours.title, '')) },
    kind: closure_kind,
    reason: text === '' ? {} : { [language]: text },
    from: calendarToday(new Date(made_at)),
    to: until,
    geometry: await stretchOf(parcours.id, from_m ?? 0, to_m ?? Infinity),
  }
}

const titleOf = (kind: string, parcours: string): string => (parcours === '' ? kind : `${kind} – ${parcours}`)

/** On the line, the stretch around the place; off the line, a small area; without a place, nothing. */
async function placeOf({ at_m: at, position }: FieldReport, parcours: number): Promise<Geometry[]> {
  const stretch = at === null ? [] : await stretchOf(parcours, at - REACH_M, at + REACH_M)
  if (stretch.length > 0) return stretch
  return position === null ? [] : [geometryOf(squareAround(position), 'area')]
}

/** A stretch of the line of a parcours, metres from the departure; nothing where there is no line. */
async function stretchOf(parcours: number, fromM: number, toM: number): Promise<Geometry[]> {
  const trace = await readTrace(parcours)
  if (trace === null) return []
  const line = measure(trace.line)
  const part = sliceLine(line, Math.max(0, fromM), Math.min(line.lengthM, toM))
  if (part.length < 2) return []
  const points = simplify(part, TOLERANCE_M).map(([lon, lat]): LngLat => [lon, lat])
  return [geometryOf(points, 'line')]
}

async function readTrace(parcours: number): Promise<Trace | null> {
  try {
    return await unwrap(api.GET('/api/v1/parcours/{id}/trace', { params: { path: { id: parcours } } }))
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

/** The four corners of a square around a place. */
function squareAround([lon, lat]: LngLat): LngLat[] {
  const north = AROUND_M / DEGREE_M
  const east = north / Math.cos((lat * Math.PI) / 180)
  return [
    [lon - east, lat - north],
    [lon + east, lat - north],
    [lon + east, lat + north],
    [lon - east, lat + north],
  ]
}
