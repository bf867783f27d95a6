import { useTranslation } from '@/i18n'
import { useCan } from '@/api/session'
import { Card } from '@/ui/Card'
import { FieldTag } from '@/ui/field/Field'
import sheet from '../sheet.module.css'
import { DayField } from './DayField'
import { LinesField } from '@/records/form/LinesField'
import { WelcomeFields } from './WelcomeFields'

/** The travellers, the date, the word of welcome, the contacts. */
export function TripCard() {
  const { t } = useTranslation('roadbook')
  const agency = useCan('agency.fields')
  return (
    <Card title={t('trip.title')}>
      <div className={sheet['fields']}>
        <div className={sheet['twoColumns']}>
          <DayField name="starts_on" label={t('trip.startsOn')} hint={t('trip.startsOnHint')} />
          <LinesField name="clients" label={t('trip.clients')} hint={t('trip.clientsHint')} readOnly={!agency} tag={agency ? undefined : <FieldTag>{t('reserved')}</FieldTag>} />
        </div>
        <WelcomeFields contactsHint={t('contacts.hint')} />
      </div>
    </Card>
  )
}
