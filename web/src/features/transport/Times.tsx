import type { Departures } from '@/api/types'
import { translate, useTranslation } from '@/i18n'
import { timeOfDay } from '@/records/transport/time-of-day'
import { format } from '@/ui/format'
import { daysOf } from '@/records/transport/service-days'
import classes from './transport.module.css'

/** First and last departures, by kind of day. */
export function Times({ departures }: { departures: readonly Departures[] }) {
  const { t } = useTranslation('transport')
  if (departures.length === 0) return <span className="small muted">{t('noDeparture')}</span>
  return (
    <ul className={classes['times']}>
      {departures.map(({ day, first_s: first, last_s: last, towards, until, weekdays = [], on = null }) => (
        <li key={`${day} ${weekdays.join(' ')} ${on ?? ''}`}>
          <span className="muted">{daysOf({ on, weekdays }, t(`day.${day}`))}</span>{' '}
          <span className="num">
            {first === last ? timeOfDay(last) : t('departures', { first: timeOfDay(first), last: timeOfDay(last) })}
          </span>
          {towards !== undefined && ` ${translate('transport:towards', { to: towards })}`}
          {until !== undefined && on === null && `, ${translate('transport:until', { day: format.day(until) })}`}
        </li>
      ))}
    </ul>
  )
}
