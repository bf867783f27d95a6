import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { textFor, useTranslation } from '@/i18n'
import type { LatestEdit } from '@/api/types'
import { ClosedBadge } from '@/records/badge/record-badges'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import { placeOf, titleText } from '@/records/resource/kinds'
import classes from './home.module.css'
import { dashboardQuery } from './queries'

/** The last changes of each user, of every kind of content. */
export function Team() {
  const { t } = useTranslation('home')
  const latest = useQuery(dashboardQuery).data?.latest ?? []
  if (latest.length === 0) return null
  return (
    <Card flush title={t('team.title')}>
      <ul className={classes['team']}>
        {latest.slice(0, 6).map((edit) => (
          <Edit key={`${edit.kind} ${edit.id}`} edit={edit} />
        ))}
      </ul>
    </Card>
  )
}

function Edit({ edit: { kind, id, title, at, user, closed } }: { edit: LatestEdit }) {
  const { t } = useTranslation('home')
  const who = user?.name ?? t('team.nobody')
  const place = placeOf(kind, id)
  return (
    <li>
      <span className={classes['initials']} aria-hidden="true">
        {initialsOf(who)}
      </span>
      <span>
        <strong>{who}</strong> {t('team.changed')} {place === undefined ? titleText(title) : <Link to={place}>{titleText(title)}</Link>}{' '}
        {closed && <ClosedBadge />}
        <span className={`${classes['when']} small muted`} title={format.instant(at)}>
          {textFor(`resource:use.${kind}`) ?? kind} · {format.ago(at)}
        </span>
      </span>
    </li>
  )
}

const initialsOf = (name: string) =>
  name
    .split(' ')
    .slice(0, 2)
    .map((part) => part.charAt(0))
    .join('')
    .toLocaleUpperCase()
