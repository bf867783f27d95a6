import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { ClosedBadge, PublicationBadge } from '@/records/badge/record-badges'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { Glyph, Ribbon } from '@/records/ribbon/Ribbon'
import classes from './home.module.css'
import { latestQuery } from './queries'

/** The parcours of the user's white-label that changed last. */
export function Latest() {
  const { t } = useTranslation('home')
  const { data, error } = useQuery(latestQuery)
  return (
    <Card flush title={t('latest.title')} aside={<Link to="/parcours">{t('latest.all')}</Link>}>
      {error && data === undefined && (
        <div className={classes['pad']}>
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        </div>
      )}
      {data?.items.length === 0 && <EmptyState title={t('latest.none')} text={t('latest.noneText')} />}
      <ul className={classes['records']}>
        {data === undefined &&
          !error &&
          [0, 1, 2, 3].map((i) => (
            <li key={i} className={classes['record']} aria-hidden="true">
              <Skeleton height={40} width={40} radius="var(--r-2)" />
              <Skeleton width="50%" />
            </li>
          ))}
        {data?.items.map((row) => (
          <li key={row.id} className={classes['record']}>
            <Glyph path={row.glyph} source={row.reliability_state === 'source'} />
            <span className={classes['recordText']}>
              <Link to="/parcours/$id" params={{ id: String(row.id) }} className={classes['recordLink']}>
                {textOf(row.title)}
              </Link>
              <span className="small muted" title={format.instant(row.updated_at)}>
                {t('latest.changed', { when: format.ago(row.updated_at) })}
                {row.distance_m !== null && ` · ${format.distance(row.distance_m)}`}
              </span>
            </span>
            {row.reliability !== null && (
              <span className={classes['recordReliability']}>
                <span className="num small">{format.percent(row.reliability)}</span>
                <Ribbon stretches={row.ribbon} />
              </span>
            )}
            <span className={classes['recordStatus']}>
              {row.closed && <ClosedBadge />}
              <PublicationBadge record={row} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
