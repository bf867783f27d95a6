import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { SourceList, SourceRow } from '@/records/source/SourceList'
import { sourcesQuery, type ListedSource } from './data'
import { Run, Start } from './Run'
import classes from './sit.module.css'

export { texts } from './data'

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  await queryClient.ensureQueryData(sourcesQuery)
}

/** `/settings/pois-sit/sources`: where records come from, and how each last run went. */
export function Page() {
  const { t } = useTranslation('sit')
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('title'), link: { to: '/settings/pois-sit' } },
    { label: t('source.title') },
  ])
  const { data, error } = useQuery(sourcesQuery)
  const make = (
    <ButtonLink look="primary" to="/settings/pois-sit/sources/new" icon={<IconPlus size={16} stroke={1.75} aria-hidden />}>
      {t('source.new')}
    </ButtonLink>
  )
  const none = data?.items.length === 0
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('source.title')}
        facts={t('source.lead')}
        actions={
          <>
            <ButtonLink to="/settings/pois-sit">{t('source.records')}</ButtonLink>
            {!none && make}
          </>
        }
      />
      <div className={classes['body']}>
        <SourceList
          label={t('source.list')}
          items={data?.items}
          error={error}
          none={<EmptyState title={t('source.none')} text={t('source.noneText')} actions={make} />}
        >
          {(source) => <Source key={source.id} source={source} />}
        </SourceList>
      </div>
    </div>
  )
}

function Source({ source }: { source: ListedSource }) {
  const { t } = useTranslation('sit')
  const { id, name, kind, url, file, schedule, last_run: run } = source
  return (
    <SourceRow
      name={
        <Link to="/settings/pois-sit/sources/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      }
      kind={<Badge>{t(`source.kindShort.${kind}`)}</Badge>}
      address={url ?? file?.name}
      every={schedule !== 'never' && t(`source.every.${schedule}`)}
      run={run === null ? <p className="small muted">{t('run.never')}</p> : <Run run={run} />}
      actions={<Start source={id} running={run?.state === 'running'} />}
    />
  )
}
