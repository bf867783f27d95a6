import { payload } from '@/api/payload'
import { textFor, useTranslation } from '@/i18n'
import type { RoadbookWarning } from '@/api/types'
import { languageName } from '@/records/form/fields'
import { format } from '@/ui/format'
import { sheetFieldName } from '../field-name'
import classes from './roadbook.module.css'

/** The warnings from making a roadbook; it was made in spite of them. */
export function Report({ warnings }: { warnings: readonly RoadbookWarning[] }) {
  const { t } = useTranslation('roadbook')
  if (warnings.length === 0) return <p className={`small muted ${classes['report'] ?? ''}`}>{t('report.none')}</p>
  return (
    <section className={classes['report']} aria-label={t('report.title')}>
      <h3 className={classes['subtitle']}>{t('report.count', { count: warnings.length })}</h3>
      <ul>
        {warnings.map((warning) => (
          <li
            key={`${warning.code} ${warning.day ?? ''} ${warning.step ?? ''} ${warning.subject} ${warning.texts?.kind ?? ''} ${warning.texts?.id ?? ''} ${warning.texts?.printed_in ?? ''}`}
            className="small"
          >
            <Where warning={warning} />
            {warning.texts === null ? (
              (textFor(`roadbook:warning.${warning.code}`, { subject: warning.subject, threshold: payload().reliability_threshold }) ??
              warning.code)
            ) : (
              <MissingTexts warning={warning} texts={warning.texts} />
            )}
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

/** « Étape 3, Quarré : titre et description ne sont pas écrits en anglais, … » */
function MissingTexts({
  warning: { step, subject },
  texts: { kind, fields, language, printed_in: printed },
}: {
  warning: RoadbookWarning
  texts: NonNullable<RoadbookWarning['texts']>
}) {
  const { t } = useTranslation('roadbook')
  const nameOf = (field: string) => textFor(`roadbook:report.field.${field}`) ?? sheetFieldName(field)
  const record = [textFor(`roadbook:report.record.${kind}`, { step }) ?? kind, subject].filter((words) => words !== '').join(', ')
  return (
    <>
      <strong>{format.labelled(record, '')}</strong>
      {t('report.missing', { fields: format.list(fields.map(nameOf)), language: languageName(language), printed: languageName(printed) })}
    </>
  )
}
