import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { useCan } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { sharesQuery } from '../queries'
import { LinkBox } from '@/ui/LinkBox'
import { PermanentShare } from './PermanentShare'
import { RoadbookLinks } from './RoadbookLinks'
import { TemporaryShares } from './TemporaryShares'

/** The ways to share a parcours: its public page, a permanent link, temporary links. */
export function SharingTab() {
  const { t } = useTranslation('sheet')
  const { parcours, goTo } = useSheet()
  const mayShare = useCan('content.share')
  const shares = useQuery(sharesQuery(parcours.id))
  const source = payload().content_languages[0] ?? 'fr'
  const titled = (parcours.title[source] ?? '').trim() !== ''
  const reason = !mayShare ? t('notAllowed') : !titled ? t('sharing.needsTitle') : undefined
  return (
    <>
      {!titled && (
        <Banner
          tone="warn"
          actions={
            parcours.editable && (
              <Button size="small" onClick={() => goTo(`title.${source}`)}>
                {t('sharing.giveTitle')}
              </Button>
            )
          }
        >
          {t('sharing.needsTitle')}
        </Banner>
      )}
      {shares.isPending && (
        <Card title={t('sharing.public')}>
          <Skeleton height={36} />
        </Card>
      )}
      {shares.isError && (
        <Banner
          tone="danger"
          live="alert"
          actions={
            <Button size="small" onClick={() => void shares.refetch()}>
              {t('common:retry')}
            </Button>
          }
        >
          {problemText(shares.error)}
        </Banner>
      )}
      {shares.isSuccess && (
        <>
          <Card title={t('sharing.public')}>
            {parcours.published && shares.data.public_url !== null ? (
              <>
                <p className="small muted" style={{ marginBottom: 8 }}>
                  {t('sharing.publicText')}
                </p>
                <LinkBox url={shares.data.public_url} label={t('sharing.publicLabel')} />
              </>
            ) : (
              <p>{t(parcours.published ? 'sharing.siteFirst' : 'sharing.publishFirst')}</p>
            )}
          </Card>
          <PermanentShare shares={shares.data} reason={reason} />
          <RoadbookLinks shares={shares.data} />
          <TemporaryShares shares={shares.data} reason={reason} />
        </>
      )}
    </>
  )
}
