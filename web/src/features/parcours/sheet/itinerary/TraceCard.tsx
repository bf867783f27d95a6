import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { textFor, useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import type { TraceSummary } from '@/api/types'
import { ButtonAnchor } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format } from '@/ui/format'
import { profileName } from '@/records/parcours/planner-profile'
import { measure } from '@/records/map/line'
import { MapView } from '@/records/map/MapView'
import { ElevationProfile } from '@/records/profile/ElevationProfile'
import { ProfileRibbon } from '@/records/profile/ProfileRibbon'
import { useSheet } from '../context'
import { closedStretches, detourLines } from '../closures'
import { detoursQuery } from '../queries'
import { ribbonOf, stretchesOf } from '../trace-view'
import { useStepDots } from './useStepDots'
import classes from './itinerary.module.css'

/** The trace on the ground, unrolled, in figures, and where it comes from. */
export function TraceCard({ summary }: { summary: TraceSummary }) {
  const { t } = useTranslation('sheet')
  const { parcours, trace } = useSheet()
  const ribbon = useMemo(() => ribbonOf(summary), [summary])
  return (
    <Card
      title={t('itinerary.trace')}
      aside={
        <ButtonLink
          size="small"
          to="/parcours/$id/edit-trace"
          params={{ id: String(parcours.id) }}
          icon={<IconRoute size={17} stroke={1.75} aria-hidden />}
        >
          {t(parcours.editable ? 'itinerary.edit' : 'itinerary.see')}
        </ButtonLink>
      }
      flush
    >
      {trace ? <Drawn /> : <Skeleton height={340} radius={0} />}
      <div className={classes['underMap']}>
        <ProfileRibbon stretches={ribbon} source={summary.mode === 'source'} {...(trace ? { lengthM: measure(trace.line).lengthM } : {})} />
        <Figures summary={summary} />
        <Origin summary={summary} />
      </div>
    </Card>
  )
}

/** The map and the profile, one cursor for both. */
function Drawn() {
  const { t } = useTranslation('sheet')
  const { parcours, trace } = useSheet()
  const dots = useStepDots()
  // The line the applications use, whose length is shown: without guidance it is not the planner's line.
  const line = trace?.line
  const measured = useMemo(() => measure(line ?? []), [line])
  const { closures } = parcours
  const found = useQuery(detoursQuery(parcours)).data
  const stretches = useMemo(
    () => [...stretchesOf(trace ?? null), ...closedStretches(closures ?? [], line ?? []), ...detourLines(found ?? [])],
    [trace, closures, line, found],
  )
  const ribbon = useMemo(() => (trace ? ribbonOf(trace) : []), [trace])
  // Scores run along the source, the profile along the line in use: the shares are the same.
  const banded = useMemo(
    () =>
      ribbon.flatMap(({ from, to, kind }) =>
        kind === 'planned' ? [] : [{ fromM: from * measured.lengthM, toM: to * measured.lengthM, kind }],
      ),
    [ribbon, measured],
  )
  const marks = useMemo(() => [], [])
  if (!trace) return null
  return (
    <>
      <div className={classes['map']}>
        <MapView
          label={t('itinerary.map')}
          line={line ?? trace.line}
          kind={trace.mode === 'source' ? 'source' : 'planned'}
          stretches={stretches}
          steps={dots}
        />
      </div>
      {trace.ascent_m !== null && (
        <div className={classes['profile']}>
          <ElevationProfile
            line={measured}
            kind={trace.mode === 'source' ? 'source' : 'planned'}
            stretches={banded}
            marks={marks}
            height={110}
          />
        </div>
      )}
    </>
  )
}

function Figures({ summary }: { summary: TraceSummary }) {
  const { t } = useTranslation('sheet')
  const how = (typed: number | null) => (typed === null ? t('itinerary.computed') : t('itinerary.typed'))
  const metres = (m: number | null) => (m === null ? t('itinerary.unknownHe') : format.metres(m))
  const long = (m: number | null) => (m === null ? t('itinerary.unknown') : format.distance(m))
  const figures = [
    { label: t('itinerary.distance'), value: long(summary.distance_m), note: how(summary.distance_typed_m) },
    {
      label: t('itinerary.duration'),
      value: summary.duration_s === null ? t('itinerary.unknown') : format.duration(summary.duration_s),
      note: how(summary.duration_typed_s),
    },
    { label: t('itinerary.ascent'), value: metres(summary.ascent_m) },
    { label: t('itinerary.descent'), value: metres(summary.descent_m) },
    {
      label: t('itinerary.heights'),
      value:
        summary.min_ele_m === null || summary.max_ele_m === null
          ? t('itinerary.unknown')
          : t('itinerary.heightRange', { min: format.number(summary.min_ele_m), max: format.metres(summary.max_ele_m) }),
    },
  ]
  return (
    <dl className={classes['figures']}>
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="num">
            {value}
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The file and what was mended in it, the planner and its map. */
function Origin({ summary }: { summary: TraceSummary }) {
  const { t } = useTranslation('sheet')
  const { t: tt } = useTranslation('trace')
  const { parcours } = useSheet()
  const { source_file: file, repairs } = summary
  const profile = profileName(summary.profile)
  return (
    <div className={classes['origin']}>
      <p>
        {file === null ? (
          t('itinerary.drawn')
        ) : (
          <>
            {t('itinerary.from')} <strong>{file.name}</strong> ({file.format.toUpperCase()},{' '}
            {t('itinerary.points', { count: file.points, points: format.number(file.points) })}, {format.bytes(file.bytes)}).{' '}
            <ButtonAnchor look="link" href={`${payload().api_base}/api/v1/parcours/${parcours.id}/trace/source`} download={file.name}>
              {t('itinerary.download')}
            </ButtonAnchor>
          </>
        )}
      </p>
      {file !== null && (
        <div>
          {repairs.length === 0 ? (
            tt('import.repairedNone')
          ) : (
            <details>
              <summary>{t('itinerary.repairs', { count: repairs.length })}</summary>
              <ul>
                {repairs.map(({ kind, count, line }) => (
                  <li key={`${kind} ${line}`}>
                    {textFor(`trace:import.repair.${kind}`, { count: format.number(count) }) ?? tt('import.repair.other', { kind, count })}
                    {line !== null && ` (${tt('import.line', { line })})`}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
      <p>
        {t(`itinerary.mode.${summary.mode}`)}
        {profile !== undefined && summary.mode === 'planner' && ` ${t('itinerary.profile', { profile })}`}{' '}
        {t('itinerary.when', { when: format.instant(summary.computed_at) })}
        {summary.data_date !== null && ` ${t('itinerary.data', { day: format.day(summary.data_date) })}`}
      </p>
    </div>
  )
}
