import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { EntryList } from '@/records/ground/EntryList'
import { entriesQuery } from '@/records/ground/queries'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import { useSheet } from '../context'

/** What the staff recorded on the parcours, and when it was last surveyed. */
export function GroundCard() {
  const { t } = useTranslation('groundEntries')
  const { parcours } = useSheet()
  const surveyed = useQuery(entriesQuery({ parcoursId: parcours.id, view: 'all', page: 1 })).data?.surveyed_at
  return (
    <Card title={t('card')}>
      {surveyed !== undefined && (
        <p className="small muted">{surveyed === null ? t('neverSurveyed') : t('surveyed', { day: format.day(surveyed) })}</p>
      )}
      <EntryList parcoursId={parcours.id} />
    </Card>
  )
}
