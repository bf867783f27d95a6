import { useTranslation } from '@/i18n'
import type { TraceGap, TraceReliability, TraceSummary } from '@/api/types'
import { payload } from '@/api/payload'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import { faultText } from '@/records/problem-text'
import { useSheet } from '../context'
import { costlyGaps } from '../trace-view'
import classes from './itinerary.module.css'

const shownGaps = 4

/** The reliability in words: what it changes, what it is made of, and where it is lost. */
export function ReliabilityCard({ summary }: { summary: TraceSummary }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const { reliability, reliability_state: state } = summary
  const scored = reliability !== null && state !== 'source' && state !== 'none'
  return (
    <Card
      title={t('reliability.title')}
      aside={
        scored && (
          <ButtonLink look="link" to="/parcours/$id/edit-trace" params={{ id: String(parcours.id) }}>
            {t('reliability.open')}
          </ButtonLink>
        )
      }
    >
      {scored ? (
        <Scored reliability={reliability} stale={state === 'stale'} />
      ) : (
        <p>{state === 'source' ? t('reliability.source') : t('reliability.none')}</p>
      )}
      {/* Why the planner has no line to give, where one was asked for. */}
      {summary.notice && <p className={classes['notice']}>{faultText({ code: summary.notice })}</p>}
    </Card>
  )
}

function Scored({ reliability, stale }: { reliability: TraceReliability; stale: boolean }) {
  const { t } = useTranslation('sheet')
  const threshold = payload().reliability_threshold
  const { percent, not_calculable } = reliability
  const gaps = costlyGaps(reliability)
  if (not_calculable !== null) return <p>{t('reliability.notCalculable', { share: format.percent(not_calculable.share, 0) })}</p>
  if (percent === null) return <p>{t('reliability.none')}</p>
  const low = percent < threshold
  const missing = threshold - Math.floor(percent * 10) / 10
  return (
    <div className={classes['reliability']} data-low={low || undefined} data-stale={stale || undefined}>
      <div className={classes['score']}>
        <span className={classes['percent']}>{format.percent(percent)}</span>
        <span className={classes['gauge']} aria-hidden="true">
          <span style={{ width: `${percent}%` }} />
          <i style={{ left: `${threshold}%` }} />
        </span>
      </div>
      <p>
        {low
          ? t('reliability.low', { count: missing, missing: format.number(missing, 1), threshold: format.percent(threshold, 0) })
          : t('reliability.ok')}
        {stale && ` ${t('reliability.stale')}`}
      </p>
      <p className="small muted num">
        {t('reliability.fraction', {
          on: format.km(reliability.on_network_m, 2),
          judged: format.km(reliability.judged_m, 2),
          tolerance: format.metres(reliability.tolerance_m),
        })}
        {reliability.hole_m + reliability.outside_m > 0 &&
          ` ${t('reliability.notJudged', { length: format.distance(reliability.hole_m + reliability.outside_m) })}`}
      </p>
      {gaps.length > 0 && (
        <ol className={classes['gaps']}>
          {gaps.slice(0, shownGaps).map((gap) => (
            <GapLine key={`${gap.from_m} ${gap.cause}`} gap={gap} />
          ))}
        </ol>
      )}
      {gaps.length > shownGaps && <p className="small muted">{t('reliability.more', { count: gaps.length - shownGaps })}</p>}
    </div>
  )
}

function GapLine({ gap }: { gap: TraceGap }) {
  const { t } = useTranslation('trace')
  return (
    <li>
      <span>{t(`reliability.cause.${gap.cause}`, { metres: format.metres(gap.max_offset_m) })}</span>
      <span className="num muted">
        {t('reliability.where', {
          from: format.number(gap.from_m / 1000, 1),
          to: format.number(gap.to_m / 1000, 1),
          length: format.distance(gap.length_m),
        })}
      </span>
      <span className={classes['cost']}>{t('reliability.cost', { points: format.number(gap.points, 1) })}</span>
    </li>
  )
}
