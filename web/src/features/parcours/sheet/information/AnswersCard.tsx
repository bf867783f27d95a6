import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { RecordField, RecordsField } from '@/records/form/record-fields'
import { Shown } from '../Shown'
import classes from '../sheet.module.css'

/** The contact who answers visitors, and the cycle routes or waterways that the parcours follows. */
export function AnswersCard() {
  const { t } = useTranslation('sheet')
  return (
    <Card title={t('answers.title')}>
      <div className={classes['twoColumns']}>
        <Shown field="contact_id">
          <RecordField name="contact_id" resource="contact" label={t('field.contact_id')} hint={t('answers.contactHint')} />
        </Shown>
        <Shown field="itinerary_ids">
          <RecordsField name="itinerary_ids" resource="itinerary" label={t('field.itinerary_ids')} hint={t('answers.itinerariesHint')} />
        </Shown>
      </div>
    </Card>
  )
}
