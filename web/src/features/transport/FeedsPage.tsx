import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { SourceList, SourceRow } from '@/records/source/SourceList'
import { FeedForm } from './FeedForm'
import { FeedActions, FeedRun, Validity } from './FeedRun'
import { feedsQuery, type ListedFeed } from './transport'
import classes from './transport.module.css'

export { texts } from './transport'

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  await queryClient.ensureQueryData(feedsQuery)
}

/** `/lignes/flux`: what operators publish, and how each was last read. */
export function Page() {
  const { t } = useTranslation('transport')
  usePageMeta([{ label: t('resource:group.contents') }, { label: t('lines'), link: { to: '/lignes' } }, { label: t('title') }])
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
            <ButtonLink to={'/lignes'}>{t('lines')}</ButtonLink>
            {!making && data?.items.length !== 0 && make}
          </>
        }
      />
      <div className={classes['body']}>
        {making && <NewFeed onClose={() => setMaking(false)} />}
        <SourceList
          label={t('list')}
          items={data?.items}
          error={error}
          none={!making && <EmptyState title={t('none')} text={t('noneText')} actions={make} />}
        >
          {(feed) => <Feed key={feed.id} feed={feed} />}
        </SourceList>
      </div>
    </div>
  )
}

function NewFeed({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('transport')
  const navigate = useNavigate()
  return (
    <section className={classes['part']} aria-label={t('new')}>
      <h2>{t('new')}</h2>
      <FeedForm
        feed={null}
        onMade={(made) => void navigate({ to: '/lignes/flux/$id', params: { id: String(made.id) }, ignoreBlocker: true })}
      >
        {(form) => (
          <Button
            onClick={() => {
              form.revert()
              onClose()
            }}
          >
            {t('common:cancel')}
          </Button>
        )}
      </FeedForm>
    </section>
  )
}

function Feed({ feed }: { feed: ListedFeed }) {
  const { t } = useTranslation('transport')
  const { id, name, url, file, schedule, last_run: run, edition } = feed
  return (
    <SourceRow
      name={
        <Link to="/lignes/flux/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      }
      address={url ?? file?.name}
      every={schedule !== 'never' && t(`every.${schedule}`)}
      facts={<Validity edition={edition} />}
      run={run === null ? <p className="small muted">{t('never')}</p> : <FeedRun run={run} />}
      actions={
        <div className={classes['actions']}>
          <FeedActions feed={id} run={run} />
          {edition !== null && (
            <ButtonLink size="small" to="/lignes/search/$id" params={{ id: String(id) }}>
              {t('search')}
            </ButtonLink>
          )}
        </div>
      }
    />
  )
}
