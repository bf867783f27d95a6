import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Card } from '@/ui/Card'
import { SelectField } from '@/records/form/choice-fields'
import { languageName, TextField } from '@/records/form/fields'
import { LinesField } from '@/records/form/LinesField'
import sheet from '../../sheet.module.css'
import { DayField } from '../DayField'
import { WelcomeFields } from '../WelcomeFields'

/** The travellers, the date, the language, and the word of welcome. */
export function ClientCard() {
  const { t } = useTranslation('roadbook')
  return (
    <Card title={t('clientFiles.client')}>
      <div className={sheet['fields']}>
        <p className="small muted">{t('clientFiles.usual')}</p>
        <div className={sheet['twoColumns']}>
          <TextField name="reference" label={t('field.reference')} hint={t('clientFiles.referenceHint')} required />
          <DayField name="starts_on" label={t('trip.startsOn')} hint={t('trip.startsOnHint')} />
          <LinesField name="clients" label={t('trip.clients')} hint={t('trip.clientsHint')} />
          <TextField name="people" label={t('field.people')} hint={t('vouchers.peopleHint')} />
          <SelectField
            name="language"
            label={t('layout.language')}
            empty={t('clientFiles.usualLanguage')}
            choices={payload().content_languages.map((code) => ({ value: code, label: languageName(code) }))}
          />
        </div>
        <WelcomeFields contactsHint={t('clientFiles.contactsHint')} />
      </div>
    </Card>
  )
}
