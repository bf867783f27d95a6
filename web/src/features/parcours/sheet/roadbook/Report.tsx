import { payload } from '@/api/payload'
import { textFor, useTranslation } from '@/i18n'
import type { RoadbookWarning } from '@/api/model'
import classes from './roadbook.module.css'

/** What the making of the roadbook had to tell; nothing of it stopped it. */
export function Report({ warnings }: { warnings: readonly RoadbookWarning[] }) {
  const { t } = useTranslation('roadbook')
  if (warnings.length === 0) return <p className={`small muted ${classes['report'] ?? ''}`}>{t('report.none')}</p>
  return (
    <section className={classes['report']} aria-label={t('report.title')}>
      <h3 className={classes['subtitle']}>{t('report.count', { count: warnings.length })}</h3>
      <ul>
        {warnings.map((warning) => (
          <li key={`${warning.code} ${warning.day ?? ''} ${warning.step ?? ''} ${warning.subject}`} className="small">
            <Where warning={warning} />
            {textFor(`roadbook:warning.${warning.code}`, { subject: warning.subject, threshold: payload().reliability_threshold }) ?? warning.code}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** « Jour 2, étape 5 : » */
function Where({ warning: { day, step } }: { warning: RoadbookWarning }) {
  const { t } = useTranslation('roadbook')
  if (day === null) return null
  return <strong>{step === null ? t('report.day', { day }) : t('report.step', { day, step })} </strong>
}
