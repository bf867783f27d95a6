import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FeedLine } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { Times } from './Times'
import { stopsQuery } from './transport'
import classes from './transport.module.css'

/** A line that was found: what it is, whether bicycles come along, where it stops; ticked to be added. */
export function LineFound({ feed, line, ticked, onTick }: { feed: number; line: FeedLine; ticked: boolean; onTick: () => void }) {
  const { t } = useTranslation('transport')
  const [open, setOpen] = useState(false)
  const { code, long_name: name, operator, mode, bike_carriage: bike, bikes, bookable, near, line_id: ours, color, text_color: ink } = line
  return (
    <li className={classes['line']}>
      {ours === null ? <Checkbox bare checked={ticked} onChange={onTick} label={t('find.tick', { name: `${code} ${name}` })} /> : <span />}
      <div className={classes['words']}>
        <p className={classes['name']}>
          <span className={classes['code']} style={color === null || ink === null ? undefined : { background: color, color: ink }}>
            {code}
          </span>
          <strong>{name}</strong>
        </p>
        <p className="small muted">
          {[t(`lines:mode.${mode}`), operator].filter(Boolean).join(' · ')}
          {near !== null &&
            ` · ${t('near', { stop: near.stop, distance: format.distance(near.distance_m), place: t(`place.${near.place}`) })}`}
        </p>
        <p className={classes['facts']}>
          <Badge
            tone={bike === 'yes' ? 'ok' : bike === 'conditions' ? 'warn' : 'neutral'}
            title={t('trips', { yes: format.number(bikes.yes), no: format.number(bikes.no), unknown: format.number(bikes.unknown) })}
          >
            {t(`bike.${bike}`)}
          </Badge>
          {bookable && <Badge tone="info">{t('bookable')}</Badge>}
          {ours !== null && (
            <Link to="/lignes/$id/edit" params={{ id: String(ours) }}>
              {t('find.there')}
            </Link>
          )}
        </p>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('find.stops')}</summary>
          {open && <Stops feed={feed} route={line.route} />}
        </details>
      </div>
    </li>
  )
}

function Stops({ feed, route }: { feed: number; route: string }) {
  const { t } = useTranslation('transport')
  const { data } = useQuery(stopsQuery(feed, route))
  if (data === undefined) return <Skeleton height={60} />
  return (
    <ul className={classes['stops']} aria-label={t('find.stops')}>
      {data.items.map(({ name, position, departures }) => (
        <li key={`${name} ${position.join(' ')}`}>
          <strong>{name}</strong> <Times departures={departures} />
        </li>
      ))}
    </ul>
  )
}
