import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TransportStop, WayHome } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { daysOf } from '@/records/transport/service-days'
import { timeOfDay } from '@/records/transport/time-of-day'
import { useSheet } from '../context'
import classes from './transport.module.css'

const transportQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['transport', 'parcours', id, version],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/transport', { params: { path: { id } } })),
    staleTime: 60_000,
  })

/** The stops near the departure, the steps and the arrival, their lines, and the last departure against what the parcours takes. */
export default function TransportCard() {
  const { t } = useTranslation('transport')
  const { parcours } = useSheet()
  const { data, error } = useQuery(transportQuery(parcours.id, parcours.version))
  const may = useCan('content.import')
  const near = data?.places.filter(({ stops }) => stops.length > 0) ?? []
  const first = near[0]?.stops[0]
  return (
    <Card
      title={t('card.title')}
      aside={
        may && first !== undefined ? (
          <ButtonLink
            size="small"
            look="ghost"
            to="/lignes/search/$id"
            params={{ id: String(first.feed_id) }}
            search={{ parcours: String(parcours.id) }}
          >
            {t('card.findLines')}
          </ButtonLink>
        ) : undefined
      }
    >
      {error && <p className="small muted">{problemText(error)}</p>}
      {data === undefined && !error && <Skeleton height={80} />}
      {data?.feeds === 0 && (
        <p className="small muted">
          {t('card.none')} {may && <Link to="/lignes/flux">{t('card.noneAction')}</Link>}
        </p>
      )}
      {data !== undefined && data.feeds > 0 && near.length === 0 && (
        <p className="small muted">{t('card.noStop', { distance: format.distance(data.radius_m) })}</p>
      )}
      {near.length > 0 && (
        <ul className={classes['places']}>
          {near.map(({ kind, step_id: step, title, stops }) => (
            <li key={`${kind} ${step ?? ''}`}>
              <h3>
                {t(`card.places.${kind}`)}
                {textOf(title, '') !== '' && `${format.colon()}${textOf(title)}`}
              </h3>
              <ul className={classes['stops']}>
                {stops.map((stop) => (
                  <Stop key={`${stop.feed_id} ${stop.name}`} stop={stop} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.ways_home.length > 0 && (
        <>
          <h3 className={classes['home']}>{t('card.home')}</h3>
          <ul className={classes['ways']}>
            {data.ways_home.map((way) => (
              <Way key={`${way.day} ${way.weekdays.join(' ')} ${way.on ?? ''}`} way={way} known={data.duration_s !== null} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function Stop({ stop }: { stop: TransportStop }) {
  const { t } = useTranslation('transport')
  return (
    <li>
      <strong>{stop.name}</strong> <span className="small muted num">{format.distance(stop.distance_m)}</span>
      <ul className={classes['lines']}>
        {stop.lines.map(({ route, code, long_name: name, color, text_color: ink, mode, bike_carriage: bike, bookable, line_id: ours }) => (
          <li key={route} title={name}>
            <span className={classes['code']} style={color === null || ink === null ? undefined : { background: color, color: ink }}>
              {code}
            </span>
            <span className="small">
              {[t(`lines:mode.${mode}`), ...(bike === 'unknown' ? [] : [t(`bike.${bike}`)]), ...(bookable ? [t('bookable')] : [])].join(
                ' · ',
              )}
            </span>
            {ours !== null && (
              <Link className="small" to="/lignes/$id/edit" params={{ id: String(ours) }}>
                {t('card.ours')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </li>
  )
}

function Way({ way, known }: { way: WayHome; known: boolean }) {
  const { t } = useTranslation('transport')
  const { last_s: last, towards, until, on, code, stop, distance_m: metres, bookable, leave_by_s: by, pauses_s: pauses } = way
  return (
    <li>
      <Badge>{daysOf(way, t(`day.${way.day}`))}</Badge>
      <span>
        {t('card.homeLine', {
          time: timeOfDay(last),
          code,
          towards: towards === null ? '' : ` ${t('towards', { to: towards })}`,
          stop,
          distance: format.distance(metres),
        })}
        {until !== null && on === null && `, ${t('until', { day: format.day(until) })}`}
        {bookable && `, ${t('bookable').toLowerCase()}`}
      </span>
      <strong>
        {by === null
          ? t(known ? 'card.tooShort' : 'card.noDuration')
          : pauses > 0
            ? t('card.leaveWithPauses', { time: timeOfDay(by), pauses: format.duration(pauses) })
            : t('card.leave', { time: timeOfDay(by) })}
      </strong>
    </li>
  )
}
