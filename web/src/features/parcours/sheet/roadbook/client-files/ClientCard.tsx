import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import type { ClientFileView } from '@/api/types'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { SelectField } from '@/records/form/choice-fields'
import { languageName, TextField } from '@/records/form/fields'
import { LinesField } from '@/records/form/LinesField'
import sheet from '../../sheet.module.css'
import { DayField } from '../DayField'
import { WelcomeFields } from '../WelcomeFields'

interface ClientCardProps {
  /** Other client files that have the saved file number too. */
  same: ClientFileView['same_reference']
}

/** The travellers, the date, the language, and the word of welcome. */
export function ClientCard({ same }: ClientCardProps) {
  const { t } = useTranslation('roadbook')
  return (
    <Card title={t('clientFiles.client')}>
      <div className={sheet['fields']}>
        <p className="small muted">{t('clientFiles.usual')}</p>
        {same.length > 0 && (
          <Banner tone="warn" live="status">
            {t('clientFiles.sameReference', { count: same.length })}
            {same.map(({ parcours_id, id }, at) => (
              <Fragment key={id}>
                {' '}
                <Link to="/parcours/$id" params={{ id: String(parcours_id) }} search={{ tab: 'roadbook', client_file: String(id) }}>
                  {t('clientFiles.openSame', { count: same.length, place: at + 1 })}
                </Link>
              </Fragment>
            ))}
          </Banner>
        )}
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
