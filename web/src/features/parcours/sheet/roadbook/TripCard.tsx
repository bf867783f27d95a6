import { useTranslation } from '@/i18n'
import { useCan } from '@/api/session'
import { Card } from '@/ui/Card'
import { FieldTag } from '@/ui/field/Field'
import sheet from '../sheet.module.css'
import { DayField } from './DayField'
import { LinesField } from '@/records/form/LinesField'
import { useQuery } from '@tanstack/react-query'
import type { Text } from '@/api/types'
import { useField } from '@/records/form/form-context'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { useSheet } from '../context'
import { clientFilesQuery } from './client-files/queries'
import { clientsNamed } from './names'
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
          <LinesField
            name="clients"
            label={t('trip.clients')}
            hint={t('trip.clientsHint')}
            readOnly={!agency}
            tag={agency ? undefined : <FieldTag>{t('reserved')}</FieldTag>}
          />
        </div>
        <WelcomeFields contactsHint={t('contacts.hint')} />
        <NamedWarning />
      </div>
    </Card>
  )
}

/** The word of welcome of the parcours is printed for each client without one of their own: a name in it is another client's. */
function NamedWarning() {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const welcome = useField<Text | undefined>('welcome').value
  const own = useField<string[] | undefined>('clients').value
  const files = useQuery(clientFilesQuery(parcours.id, 1, 200))
  const names = clientsNamed(welcome ?? {}, [...(own ?? []), ...(files.data?.items.flatMap((file) => file.clients) ?? [])])
  if (names.length === 0) return null
  return (
    <Banner tone="warn" live="status">
      {t('trip.welcomeNames', { names: format.list(names) })}
    </Banner>
  )
}
