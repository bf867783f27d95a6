import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { TransportFeed } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { SourceKey } from '@/records/key/SourceKey'
import { FeedForm } from './FeedForm'
import { FeedActions, FeedRun, Validity } from './FeedRun'
import { feedQuery, feedsQuery, refresh, runsQuery } from './transport'
import classes from './transport.module.css'

export { texts } from './transport'

const RecordDelete = lazyDialog(() => import('@/records/resource/RecordDelete'))

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const id = Number(params['id'])
  void queryClient.prefetchQuery(runsQuery(id))
  void queryClient.prefetchQuery(feedsQuery)
  await queryClient.ensureQueryData(feedQuery(id))
}

/** `/lignes/flux/{id}`: a feed, its settings, its last readings. */
export function Page() {
  const { t } = useTranslation('transport')
  const { id: written } = useParams({ strict: false })
  const id = Number(written)
  const feed = useQuery(feedQuery(id)).data
  const runs = useQuery(runsQuery(id)).data?.items ?? []
  const edition = useQuery(feedsQuery).data?.items.find((one) => one.id === id)?.edition ?? null
  usePageMeta([
    { label: t('lines'), link: { to: '/lignes' } },
    { label: t('title'), link: { to: '/lignes/flux' } },
    { label: feed?.name ?? '' },
  ])
  if (feed === undefined) return <Skeleton height={220} />
  return (
    <div className={classes['page']}>
      <PageHeader
        title={feed.name}
        facts={feed.url ?? feed.file?.name}
        actions={
          <>
            <FeedActions feed={id} run={runs[0]} />
            <ButtonLink size="small" look="primary" to="/lignes/search/$id" params={{ id: String(id) }}>
              {t('search')}
            </ButtonLink>
          </>
        }
      />
      <div className={classes['body']}>
        <Validity edition={edition} />
        <section className={classes['part']} aria-label={t('runs')}>
          <h2>{t('runs')}</h2>
          {runs.length === 0 && <p className="small muted">{t('never')}</p>}
          <ul className={classes['runs']}>
            {runs.map((run) => (
              <li key={run.id}>
                <FeedRun run={run} />
              </li>
            ))}
          </ul>
        </section>
        <section className={classes['part']} aria-label={t('settings')}>
          <h2>{t('settings')}</h2>
          <Settings key={feed.id} feed={feed} />
        </section>
      </div>
    </div>
  )
}

function Settings({ feed }: { feed: TransportFeed }) {
  const { t } = useTranslation('transport')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <FeedForm feed={feed}>
        {() => (
          <Button look="ghost" onClick={() => setAsking(true)}>
            {t('remove')}
          </Button>
        )}
      </FeedForm>
      <SourceKey path="/api/v1/transport-feeds/{id}/credential" record={feed} onSettled={() => refresh(cache)} />
      {asking && (
        <RecordDelete
          base="/api/v1/transport-feeds"
          queryKey={['transport']}
          record={feed}
          title={feed.name}
          asksUses={false}
          onClose={() => setAsking(false)}
          onDeleted={() => navigate({ to: '/lignes/flux' })}
        />
      )}
    </>
  )
}
