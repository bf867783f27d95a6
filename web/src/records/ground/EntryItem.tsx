import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, unwrap } from '@/api/client'
import type { GroundEntry } from '@/api/types'
import { useCan } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { placeOf, titleText } from '@/records/resource/kinds'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import frame from '@/records/list/ListFrame.module.css'
import classes from './EntryItem.module.css'
import { entriesKey } from './queries'

/** One entry made on the ground: what, where, by whom, and what it became. */
export function EntryItem({ entry, ofOne }: { entry: GroundEntry; ofOne: boolean }) {
  const { t } = useTranslation('releves')
  const isReviewed = entry.reviewed_at !== null
  const kind = entry.report_kind === null ? undefined : textFor(`reviews:reports.kind.${entry.report_kind}`)
  return (
    <li className={frame['item']} data-entry={entry.id}>
      <div className={frame['head']}>
        <strong>{[t(`kind.${entry.kind}`), entry.title === '' ? kind : entry.title].filter(Boolean).join(' · ')}</strong>
        <Badge tone={isReviewed ? 'ok' : 'info'} icon={isReviewed ? IconCircleCheck : IconClock}>
          {t(isReviewed ? 'state.reviewed' : 'state.waiting')}
        </Badge>
        <span className="small muted end">{format.instant(entry.made_at)}</span>
      </div>
      {entry.media.length > 0 && (
        <ul className={classes['photos']}>
          {entry.media.map(({ id, thumb_url }, index) => (
            <li key={id}>
              <Link to="/medias/$id" params={{ id: String(id) }}>
                {thumb_url === null ? (
                  t('photo', { count: index + 1 })
                ) : (
                  <img src={thumb_url} alt={t('photo', { count: index + 1 })} loading="lazy" />
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {entry.text !== '' && (
        <p className={frame['words']} lang={entry.language}>
          {entry.text}
        </p>
      )}
      <p className="small muted">
        <Facts entry={entry} ofOne={ofOne} />
      </p>
      <Buttons entry={entry} />
    </li>
  )
}

function Facts({ entry, ofOne }: { entry: GroundEntry; ofOne: boolean }) {
  const { t } = useTranslation('releves')
  const { parcours, by, from_m, to_m, kind, position, accuracy_m } = entry
  const [lon, lat] = position ?? []
  return (
    <>
      {!ofOne && parcours !== null && (
        <>
          <Link to="/parcours/$id" params={{ id: String(parcours.id) }}>
            {titleText(parcours.name)}
          </Link>
          {' · '}
        </>
      )}
      {by.name}
      {kind === 'survey' &&
        ` · ${from_m === null || to_m === null ? t('whole') : t('stretch', { from: format.km(from_m), to: format.km(to_m) })}`}
      {lon !== undefined && lat !== undefined && (
        <>
          {' · '}
          <a href={`geo:${lat},${lon}`} className="num">
            {lat.toFixed(5)}, {lon.toFixed(5)}
          </a>
          {accuracy_m !== null && ` ${t('within', { accuracy: format.metres(accuracy_m) })}`}
        </>
      )}
    </>
  )
}

function Buttons({ entry: { id, result, parcours, reviewed_at, reviewed_by } }: { entry: GroundEntry }) {
  const { t } = useTranslation('releves')
  const cache = useQueryClient()
  const reason = useCan('content.write') ? undefined : t('notAllowed')
  const review = useMutation({
    mutationFn: (reviewed: boolean) =>
      unwrap(api.PUT('/api/v1/ground/entries/{id}/review', { params: { path: { id } }, body: { reviewed } })),
    onSuccess: () => Promise.all([cache.invalidateQueries({ queryKey: entriesKey }), cache.invalidateQueries({ queryKey: ['dashboard'] })]),
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <div className={classes['buttons']}>
      <Button
        size="small"
        look={reviewed_at === null ? 'primary' : 'default'}
        disabledReason={reason}
        busy={review.isPending}
        onClick={() => review.mutate(reviewed_at === null)}
      >
        {t(reviewed_at === null ? 'review' : 'reviewAgain')}
      </Button>
      {result?.kind === 'poi' && <Link to={placeOf('poi', result.id) ?? '/pois'}>{t('result.poi')}</Link>}
      {result?.kind === 'field_report' && parcours !== null && (
        <Link to="/parcours/$id" params={{ id: String(parcours.id) }} search={{ tab: 'reviews' }}>
          {t('result.field_report')}
        </Link>
      )}
      {reviewed_at !== null && reviewed_by !== null && (
        <span className="small muted">{t('reviewedBy', { name: reviewed_by.name, when: format.instant(reviewed_at) })}</span>
      )}
    </div>
  )
}
