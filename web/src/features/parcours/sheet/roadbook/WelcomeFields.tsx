import { useTranslation } from '@/i18n'
import type { RoadbookContact } from '@/api/types'
import { TextField, TranslatedField } from '@/records/form/fields'
import sheet from '../sheet.module.css'
import { ManyRows } from './ManyRows'
import classes from './roadbook.module.css'

const nobody: RoadbookContact = { role: '', name: '', phone: '', note: '' }

/** The word of welcome, its signature, the contacts. */
export function WelcomeFields({ contactsHint }: { contactsHint: string }) {
  const { t } = useTranslation('roadbook')
  return (
    <>
      <TranslatedField name="welcome" kind="lines" label={t('trip.welcome')} hint={t('trip.welcomeHint')} />
      <TextField name="signature" label={t('trip.signature')} max={120} />
      <div>
        <h3 className={classes['subtitle']}>{t('contacts.title')}</h3>
        <p className="small muted">{contactsHint}</p>
        <ManyRows<RoadbookContact>
          name="contacts"
          blank={nobody}
          add={t('contacts.add')}
          removeOf={(place) => t('contacts.remove', { place })}
        >
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
    </>
  )
}
