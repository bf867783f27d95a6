import { useTranslation } from '@/i18n'
import type { RoadbookContact } from '@/api/model'
import { useCan } from '@/api/session'
import { Card } from '@/ui/Card'
import { FieldTag } from '@/ui/field/Field'
import { TextField, TranslatedField } from '@/ui/form/fields'
import sheet from '../sheet.module.css'
import { DayField } from './DayField'
import { LinesField } from '@/ui/form/LinesField'
import { ManyRows } from './ManyRows'
import classes from './roadbook.module.css'

const nobody: RoadbookContact = { role: '', name: '', phone: '', note: '' }

/** Who travels and when, the word of welcome, whom to call. */
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
        <TranslatedField name="welcome" kind="lines" label={t('trip.welcome')} hint={t('trip.welcomeHint')} />
        <TextField name="signature" label={t('trip.signature')} max={120} />
        <div>
          <h3 className={classes['subtitle']}>{t('contacts.title')}</h3>
          <p className="small muted">{t('contacts.hint')}</p>
          <ManyRows<RoadbookContact> name="contacts" blank={nobody} add={t('contacts.add')} removeOf={(place) => t('contacts.remove', { place })}>
            {(at) => (
              <div className={sheet['twoColumns']}>
                <TextField name={`${at}.role`} label={t('contacts.role')} />
                <TextField name={`${at}.name`} label={t('contacts.name')} />
                <TextField name={`${at}.phone`} label={t('contacts.phone')} />
                <TextField name={`${at}.note`} label={t('contacts.note')} />
              </div>
            )}
          </ManyRows>
        </div>
      </div>
    </Card>
  )
}
