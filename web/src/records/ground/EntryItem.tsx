import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, unwrap } from '@/api/client'
import type { GroundEntry } from '@/api/types'
import { useCan } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { placeOf } from '@/records/resource/kinds'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import frame from '@/records/list/ListFrame.module.css'
import classes from './EntryItem.module.css'
import { Correction } from './Correction'
import { entriesKey } from './queries'

const conditionTones = { good: 'ok', worn: 'warn', missing: 'danger' } as const

/** One entry made on the ground: what, where, by whom, and what it became. */
export function EntryItem({ entry, ofOne }: { entry: GroundEntry; ofOne: boolean }) {
  const { t } = useTranslation('groundEntries')
  const isReviewed = entry.reviewed_at !== null
  const done = entry.reviewed_by === null ? 'unreviewed' : 'reviewed'
  const state = isReviewed ? done : 'waiting'
  const kind =
    entry.closure_kind != null
      ? textFor(`closures:kind.${entry.closure_kind}`)
      : entry.report_kind === null
        ? undefined
        : textFor(`reviews:reports.kind.${entry.report_kind}`)
  return (
    <li className={frame['item']} data-entry={entry.id}>
      <div className={frame['head']}>
        <strong>{[t(`kind.${entry.kind}`), entry.title === '' ? kind : entry.title].filter(Boolean).join(' · ')}</strong>
        {entry.condition != null && <Badge tone={conditionTones[entry.condition]}>{t(`condition.${entry.condition}`)}</Badge>}
        <Badge tone={isReviewed ? 'ok' : 'info'} icon={isReviewed ? IconCircleCheck : IconClock}>
          {t(`state.${state}`)}
        </Badge>
        <span className="small muted end">{format.instant(entry.made_at)}</span>
      </div>
      {entry.media.length > 0 && (
        <ul className={classes['photos']}>
          {entry.media.map(({ id, thumb_url, sound_url }, index) => (
            <li key={id}>
              {/* A voice note has no captions; what matters of it is written by the person at the desk. */}
              {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
              {sound_url !== null && <audio controls preload="none" src={sound_url} aria-label={t('sound', { count: index + 1 })} />}
              <Link to="/medias/$id" params={{ id: String(id) }}>
                {thumb_url === null ? (
                  t(sound_url === null ? 'photo' : 'sound', { count: index + 1 })
                ) : (
                  <img src={thumb_url} alt={t('photo', { count: index + 1 })} loading="lazy" />
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {entry.kind === 'correction' ? (
        <Reviewed entry={entry} />
      ) : entry.text === '' || (entry.title === '' && entry.text === kind) ? null : (
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
  const { t } = useTranslation('groundEntries')
  const { parcours, by, from_m, to_m, kind, until, distance_m, position, accuracy_m } = entry
  const [lon, lat] = position ?? []
  return (
    <>
      {!ofOne && parcours !== null && (
        <>
          <Link to="/parcours/$id" params={{ id: String(parcours.id) }}>
            {textOf(parcours.title)}
          </Link>
          {' · '}
        </>
      )}
      {by.name}
      {distance_m != null && ` · ${format.distance(distance_m)}`}
      {(kind === 'survey' || kind === 'closure') &&
        ` · ${from_m === null || to_m === null ? t('whole') : t('stretch', { from: format.km(from_m), to: format.km(to_m) })}`}
      {until != null && ` · ${t('until', { day: format.day(until) })}`}
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

/** A correction, which is reviewed once it is applied. */
function Reviewed({ entry }: { entry: GroundEntry }) {
  const review = useReview(entry.id)
  return <Correction entry={entry} onApplied={() => review.mutate(true)} />
}

function useReview(id: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (reviewed: boolean) =>
      unwrap(api.PUT('/api/v1/ground/entries/{id}/review', { params: { path: { id } }, body: { reviewed } })),
    onSuccess: () => Promise.all([cache.invalidateQueries({ queryKey: entriesKey }), cache.invalidateQueries({ queryKey: ['dashboard'] })]),
    onError: (error) => toastError(problemText(error)),
  })
}

function Buttons({ entry: { id, kind, result, parcours, reviewed_at, reviewed_by } }: { entry: GroundEntry }) {
  const { t } = useTranslation('groundEntries')
  const mayWrite = useCan('content.write')
  const mayExport = useCan('content.export')
  const reason = mayWrite ? undefined : t('notAllowed')
  const review = useReview(id)
  return (
    <div className={classes['buttons']}>
      <Button
        size="small"
        look={reviewed_at === null && kind !== 'correction' ? 'primary' : 'default'}
        disabledReason={reason}
        busy={review.isPending}
        onClick={() => review.mutate(reviewed_at === null)}
      >
        {t(reviewed_at === null ? 'review' : 'reviewAgain')}
      </Button>
      {kind === 'closure' && parcours !== null && mayWrite && (
        <ButtonLink size="small" to="/fermetures/new" search={{ releve: id }}>
          {t('makeClosure')}
        </ButtonLink>
      )}
      {kind === 'track' && parcours !== null && mayWrite && mayExport && (
        <ButtonLink size="small" to="/parcours/$id/edit-trace" params={{ id: String(parcours.id) }} search={{ releve: id }}>
          {t('compare')}
        </ButtonLink>
      )}
      {kind === 'track' && mayExport && (
        <a href={`/api/v1/ground/entries/${id}/track.gpx`} download>
          {t('download')}
        </a>
      )}
      {result?.kind === 'poi' && <Link to={placeOf('poi', result.id) ?? '/pois'}>{t('result.poi')}</Link>}
      {result?.kind === 'field_report' && parcours !== null && (
        <Link to="/parcours/$id" params={{ id: String(parcours.id) }} search={{ tab: 'reviews' }}>
          {t('result.field_report')}
        </Link>
      )}
      {reviewed_at !== null && (
        <span className="small muted">
          {reviewed_by === null
            ? t('unreviewed', { when: format.instant(reviewed_at) })
            : t('reviewedBy', { name: reviewed_by.name, when: format.instant(reviewed_at) })}
        </span>
      )}
    </div>
  )
}
