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
import classes from './imports.module.css'
import { sourcesQuery, type ListedSource } from './imports'
import { Run, Start } from './Run'

export { texts } from './imports'

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  await queryClient.ensureQueryData(sourcesQuery)
}

/** `/settings/imports-parcours`: where routes come from, and how each last import went. */
export function Page() {
  const { t } = useTranslation('imports')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title') }])
  const { data, error } = useQuery(sourcesQuery)
  const make = (
    <ButtonLink look="primary" to="/settings/imports-parcours/new" icon={<IconPlus size={16} stroke={1.75} aria-hidden />}>
      {t('new')}
    </ButtonLink>
  )
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('title')}
        facts={t('lead')}
        actions={
          <>
            <ButtonLink to="/settings/logs-imports-parcours">{t('logs')}</ButtonLink>
            {make}
          </>
        }
      />
      <div className={classes['body']}>
        <SourceList
          label={t('list')}
          items={data?.items}
          error={error}
          none={<EmptyState title={t('none')} text={t('noneText')} actions={make} />}
        >
          {(source) => <Source key={source.id} source={source} />}
        </SourceList>
      </div>
    </div>
  )
}

function Source({ source }: { source: ListedSource }) {
  const { t } = useTranslation('imports')
  const { id, name, kind, url, file, schedule, last_run: run } = source
  return (
    <SourceRow
      name={
        <Link to="/settings/imports-parcours/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      }
      kind={<Badge>{t(`kindShort.${kind}`)}</Badge>}
      address={url ?? file?.name}
      every={schedule !== 'never' && t(`every.${schedule}`)}
      run={run === null ? <p className="small muted">{t('run.never')}</p> : <Run run={run} />}
      actions={<Start source={id} running={run?.state === 'running'} />}
    />
  )
}
