import { useTranslation } from '@/i18n'
import classes from './statistics.module.css'

/** What readers must know to interpret the figures. */
export function Notes() {
  const { t } = useTranslation('statistics')
  return (
    <section aria-label={t('notes.label')} className={classes['notes']}>
      <h2>{t('notes.label')}</h2>
      <ul>
        <li>{t('notes.delay')}</li>
        <li>{t('notes.ios')}</li>
        <li>{t('notes.privacy')}</li>
      </ul>
    </section>
  )
}
