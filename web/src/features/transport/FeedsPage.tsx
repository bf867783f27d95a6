import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TransportFeedOptions } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button, ButtonLink } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import { FeedForm } from './FeedForm'
import { FeedActions, FeedRun, Validity } from './FeedRun'
import { createFeed, feedsQuery, refresh, sendFile, startRun, type ListedFeed } from './transport'
import classes from './transport.module.css'

export { texts } from './transport'

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  await queryClient.ensureQueryData(feedsQuery)
}

/** `/lignes/flux`: what operators publish, and how each was last read. */
export function Page() {
  const { t } = useTranslation('transport')
  usePageMeta([{ label: t('resource:group.contents') }, { label: t('lines'), link: { to: '/lignes' as never } }, { label: t('title') }])
  const { data, error } = useQuery(feedsQuery)
  const [making, setMaking] = useState(false)
  const make = (
    <Button look="primary" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setMaking(true)}>
      {t('new')}
    </Button>
  )
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('title')}
        facts={t('lead')}
        actions={
          <>
            <ButtonLink to={'/lignes' as never}>{t('lines')}</ButtonLink>
            {!making && data?.items.length !== 0 && make}
          </>
        }
      />
      <div className={classes['body']}>
        {error && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {making && <NewFeed onClose={() => setMaking(false)} />}
        {data === undefined && !error && <Skeleton height={160} />}
        {data?.items.length === 0 && !making && <EmptyState title={t('none')} text={t('noneText')} actions={make} />}
        {data !== undefined && data.items.length > 0 && (
          <ul className={classes['feeds']} aria-label={t('list')}>
            {data.items.map((feed) => (
              <Feed key={feed.id} feed={feed} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function NewFeed({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('transport')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const make = useMutation({
    mutationFn: async ([values, file]: [TransportFeedOptions, File | null]) => {
      const made = await createFeed(values)
      const feed = file === null ? made : await sendFile(made, file)
      await startRun(feed.id)
      return feed
    },
    onSuccess: async (feed) => {
      await refresh(cache)
      await navigate({ to: '/lignes/flux/$id', params: { id: String(feed.id) } })
    },
  })
  return (
    <section className={classes['part']} aria-label={t('new')}>
      <h2>{t('new')}</h2>
      <FeedForm error={make.error} busy={make.isPending} submit={t('create')} onSave={(values, file) => make.mutate([values, file])}>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
      </FeedForm>
    </section>
  )
}

function Feed({ feed }: { feed: ListedFeed }) {
  const { t } = useTranslation('transport')
  const { id, name, url, file, schedule, last_run: run, edition } = feed
  return (
    <li className={classes['feed']}>
      <div className={classes['words']}>
        <h2>
          <Link to="/lignes/flux/$id" params={{ id: String(id) }}>
            {name}
          </Link>
        </h2>
        <p className="small muted">
          <span className={classes['address']}>{url ?? file?.name}</span>
          {schedule !== 'never' && ` · ${t(`every.${schedule}`)}`}
        </p>
        <Validity edition={edition} />
      </div>
      {run === null ? <p className="small muted">{t('never')}</p> : <FeedRun run={run} />}
      <div className={classes['actions']}>
        <FeedActions feed={id} run={run} />
        {edition !== null && (
          <ButtonLink size="small" to="/lignes/search/$id" params={{ id: String(id) }}>
            {t('search')}
          </ButtonLink>
        )}
      </div>
    </li>
  )
}
