import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Closure, FieldReport, LngLat, Trace } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { api, unwrap } from '@/api/client'
import { ensureTexts, textFor, useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { useField } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { calendarToday, textOf } from '@/ui/format'
import { DEGREE_M, simplify } from '@/records/map/geo'
import { measure, sliceLine } from '@/records/map/line'
import { geometryOf, type Geometry } from './GeometryField'
import classes from './closures.module.css'

/** So far before and behind the place of a report a parcours is closed at first. */
const REACH_M = 50
/** Off the parcours, the sides of the closed square lie so far from the place. */
const AROUND_M = 25
const TOLERANCE_M = 3

const reportQuery = (parcours: string, report: string) =>
  queryOptions({
    queryKey: ['parcours', Number(parcours), 'field-report', report],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/parcours/{id}/field-reports/{report_id}', {
          params: { path: { id: Number(parcours), report_id: Number(report) } },
        }),
      ),
  })

/** The closure that answers a field report begins with its place, its kind and its words. */
export async function prefillFromReport({ parcours, report }: Record<string, string>): Promise<Values> {
  if (parcours === undefined || report === undefined) return {}
  const [found, sheet] = await Promise.all([
    unwrap(
      api.GET('/api/v1/parcours/{id}/field-reports/{report_id}', { params: { path: { id: Number(parcours), report_id: Number(report) } } }),
    ),
    unwrap(api.GET('/api/v1/parcours/{id}', { params: { path: { id: Number(parcours) } } })),
    ensureTexts('reviews'),
  ])
  const geometry = await placeOf(found, Number(parcours))
  const kind = textFor(`reviews:reports.kind.${found.kind}`) ?? ''
  const name = textOf(sheet.title, '')
  return {
    report_id: found.id,
    title: { fr: name === '' ? kind : `${kind} – ${name}` },
    kind: 'other',
    reason: found.text === '' ? {} : { [found.language]: found.text },
    from: calendarToday(),
    geometry,
  }
}

/** On the line the stretch around the place, beside it a small area, nothing where no place was given. */
async function placeOf({ at_m: at, position }: FieldReport, parcours: number): Promise<Geometry[]> {
  if (at !== null) {
    const trace = await readTrace(parcours)
    if (trace !== null) {
      const line = measure(trace.line)
      const part = sliceLine(line, Math.max(0, at - REACH_M), Math.min(line.lengthM, at + REACH_M))
      if (part.length > 1)
        return [
          geometryOf(
            simplify(part, TOLERANCE_M).map(([lon, lat]): LngLat => [lon, lat]),
            'line',
          ),
        ]
    }
  }
  return position === null ? [] : [geometryOf(squareAround(position), 'area')]
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

/** The report that the closure answers: what was sent, its photo, and the way back to it. */
export function AnsweredReport({ record }: { record: Closure | null }) {
  const search: Record<string, string> = useSearch({ strict: false })
  const id = useField<number | null>('report_id').value
  if (record !== null) return record.report === null ? null : <Shown report={record.report} parcours={record.report.parcours_id} />
  return id === null || search['parcours'] === undefined ? null : <Asked parcours={search['parcours']} report={String(id)} />
}

function Asked({ parcours, report }: { parcours: string; report: string }) {
  const { data } = useQuery(reportQuery(parcours, report))
  return data === undefined ? null : <Shown report={data} parcours={Number(parcours)} />
}

function Shown({
  report: { text, language, photo_url: photo },
  parcours,
}: {
  report: Pick<FieldReport, 'text' | 'language' | 'photo_url'>
  parcours: number
}) {
  const { t } = useTranslation('closures')
  return (
    <Banner tone="info">
      <div className={classes['report']}>
        {photo !== null && (
          <a href={photo} target="_blank" rel="noopener">
            <img src={photo} alt={t('report.photo')} loading="lazy" />
          </a>
        )}
        <div>
          <p>
            {t('report.answers')}{' '}
            <Link to="/parcours/$id" params={{ id: String(parcours) }} search={{ tab: 'reviews' }}>
              {t('report.see')}
            </Link>
          </p>
          {text !== '' && <q lang={language}>{text}</q>}
        </div>
      </div>
    </Banner>
  )
}
