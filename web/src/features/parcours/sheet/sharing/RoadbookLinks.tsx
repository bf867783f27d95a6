import { useTranslation } from '@/i18n'
import type { Shares } from '@/api/types'
import { Card } from '@/ui/Card'
import { useSheet } from '../context'
import { LinkBox } from '@/ui/LinkBox'

/** The public PDF of the roadbook: at the address of whatever opens the parcours, while it is published. */
export function RoadbookLinks({ shares }: { shares: Shares }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const page = shares.public_url ?? shares.permanent?.url ?? null
  return (
    <Card title={t('sharing.roadbook')}>
      <p className="small muted" style={{ marginBottom: 8 }}>
        {t('sharing.roadbookText')}
      </p>
      {parcours.published && page !== null ? (
        <LinkBox url={`${page}/roadbook.pdf`} label={t('sharing.roadbookLabel')} />
      ) : (
        <p>{t(parcours.published ? 'sharing.roadbookNoLink' : 'sharing.roadbookPublishFirst')}</p>
      )}
    </Card>
  )
}
