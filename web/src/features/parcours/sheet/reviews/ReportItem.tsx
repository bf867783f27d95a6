import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FieldReport } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { format, textOf } from '@/ui/format'
import { useSheet } from '../context'
import { History } from './History'
import frame from '@/records/list/ListFrame.module.css'
import classes from './reviews.module.css'
import { SeeDialog } from './SeeDialog'
import { useDecideReport, useDeleteReport } from './useFeedback'

const states = {
  new: { tone: 'danger', icon: IconClock },
  seen: { tone: 'info', icon: IconEye },
  solved: { tone: 'ok', icon: IconCircleCheck },
} as const

/** A field report, with what can be done. */
export function ReportItem({ report }: { report: FieldReport }) {
  const { t } = useTranslation('reviews')
  const { tone, icon } = states[report.state]
  return (
    <li className={frame['item']} data-report={report.id}>
      <div className={frame['head']}>
        <strong>{t(`reports.kind.${report.kind}`)}</strong>
        <Badge tone={tone} icon={icon}>
          {t(`reports.state.${report.state}`)}
        </Badge>
        {report.shown && report.state === 'seen' && (
          <Badge tone="warn" icon={IconAlertTriangle}>
            {t('reports.shown')}
          </Badge>
        )}
        <span className="small muted end">{format.instant(report.sent_at)}</span>
      </div>
      <div className={classes['found']}>
        {report.photo_url !== null && (
          <a href={report.photo_url} target="_blank" rel="noopener">
            <img src={report.photo_url} alt={t('reports.photo')} loading="lazy" />
          </a>
        )}
        <div className={classes['stack']}>
          {report.text !== '' && (
            <p className={frame['words']} lang={report.language}>
              {report.text}
            </p>
          )}
          <p className="small muted">
            <Place report={report} />
            {' · '}
            {report.email === null ? t('reports.noEmail') : <a href={`mailto:${report.email}`}>{report.email}</a>}
          </p>
          {report.closure !== null && (
            <p className="small">
              {t('reports.closure')}{' '}
              <Link to="/fermetures/$id" params={{ id: String(report.closure.id) }}>
                {textOf(report.closure.title)}
              </Link>
            </p>
          )}
          {report.shown && report.state === 'seen' && textOf(report.warning, '') !== '' && (
            <p className="small">{t('reports.says', { words: textOf(report.warning, '') })}</p>
          )}
        </div>
      </div>
      <ReportButtons report={report} />
      <History happened={report.history} />
    </li>
  )
}

/** The place of a report: its kilometre, or that it is off the trace; then its coordinates, as a `geo:` link, which opens a map application. */
function Place({ report: { position, at_m: at } }: { report: FieldReport }) {
  const { t } = useTranslation('reviews')
  const [lon, lat] = position ?? []
  if (lon === undefined || lat === undefined) return t('reports.noPlace')
  const words = at === null ? t('reports.offLine') : t('reports.at', { km: format.km(at) })
  return (
    <>
      {words} ·{' '}
      <a href={`geo:${lat},${lon}`} className="num">
        {lat.toFixed(5)}, {lon.toFixed(5)}
      </a>
    </>
  )
}

function ReportButtons({ report }: { report: FieldReport }) {
  const { t } = useTranslation('reviews')
  const { parcours } = useSheet()
  const decide = useDecideReport()
  const remove = useDeleteReport()
  const reason = useCan('content.publish') ? undefined : t('notAllowed')
  const [dialog, setDialog] = useState<'see' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <div className={classes['buttons']}>
      <Button size="small" look={report.state === 'new' ? 'primary' : 'default'} disabledReason={reason} onClick={() => setDialog('see')}>
        {t(report.state === 'new' ? 'reports.see' : report.state === 'seen' ? 'reports.changeWarning' : 'reports.reopen')}
      </Button>
      {report.state !== 'solved' && (
        <Button
          size="small"
          disabledReason={reason}
          busy={decide.isPending}
          onClick={() => decide.mutate({ report: report.id, decision: { action: 'solve' } })}
        >
          {t('reports.solve')}
        </Button>
      )}
      {report.closure === null && report.state !== 'solved' && reason === undefined && (
        <ButtonLink size="small" to={'/fermetures/new'} search={{ parcours: String(parcours.id), report: String(report.id) }}>
          {t('reports.close')}
        </ButtonLink>
      )}
      <Button size="small" look="ghost" disabledReason={reason} onClick={() => setDialog('delete')}>
        {t('reports.delete')}
      </Button>
      <SeeDialog
        opened={dialog === 'see'}
        onClose={close}
        report={report}
        onSee={(decision) => decide.mutateAsync({ report: report.id, decision })}
      />
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        danger
        title={t('reports.deleteTitle')}
        confirm={t('reports.delete')}
        onConfirm={() => remove.mutateAsync(report.id).then(close, () => undefined)}
      >
        {t('reports.deleteText')}
      </ConfirmDialog>
    </div>
  )
}
