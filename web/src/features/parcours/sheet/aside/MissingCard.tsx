import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Card } from '@/ui/Card'
import { languageName } from '@/records/form/fields'
import { format } from '@/ui/format'
import { useSheet } from '../context'
import { lacksOf, wholeCount, type Lack } from '../missing'
import classes from './aside.module.css'

/** The missing values of the sheet, each with a link to its field. */
export function MissingCard() {
  const { t } = useTranslation('sheet')
  const { parcours, form, goTo, openTab } = useSheet()
  const values = useSyncExternalStore(form.store.subscribe, () => form.store.values)
  const languages = payload().content_languages
  const lacks = lacksOf(values, parcours.trace !== null, languages)
  const whole = wholeCount(languages)
  const reliability = parcours.trace?.reliability_state === 'low' ? (parcours.trace.reliability?.percent ?? null) : null
  const wordsOf = ({ key, language }: Lack) =>
    language === null ? t(`missing.lack.${key}`) : t(`missing.lack.${key}`, { language: languageName(language) })
  return (
    <Card
      title={t('missing.heading')}
      aside={<span className={classes['share']}>{t('missing.share', { done: whole - lacks.length, whole })}</span>}
    >
      {lacks.length === 0 ? (
        <p className={classes['whole']}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden />
          {t('missing.none')}
        </p>
      ) : (
        <ul className={classes['lacks']}>
          {lacks.map((lack) => (
            <li key={`${lack.key} ${lack.language}`}>
              <IconArrowRight size={15} stroke={1.75} aria-hidden />
              {parcours.editable ? (
                <button
                  type="button"
                  className={classes['lack']}
                  onClick={() => (lack.path === null ? openTab('itinerary') : goTo(lack.path))}
                >
                  {wordsOf(lack)}
                </button>
              ) : (
                wordsOf(lack)
              )}
            </li>
          ))}
        </ul>
      )}
      {reliability !== null && (
        <p className={classes['remark']}>
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <button type="button" className={classes['lack']} onClick={() => openTab('itinerary')}>
            {t('missing.reliability', { percent: format.percent(reliability) })}
          </button>
        </p>
      )}
    </Card>
  )
}
