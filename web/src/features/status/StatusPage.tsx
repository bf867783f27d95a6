import { Link } from '@tanstack/react-router'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlatformStatus, ServerStatus } from '@/api/types'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import resourceClasses from '@/records/resource/resource.module.css'
import { Badge } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { isLate, isNearlyFull, statusQuery, toneOf } from './status'
import classes from './status.module.css'

export const texts = ['settings', 'resource', 'status']

export const load = ({ queryClient }: { queryClient: QueryClient }) => queryClient.ensureQueryData(statusQuery)

/** `/settings/etat`: how the servers, the database, the queue, the region and the backups are. */
export function Page() {
  const { t } = useTranslation('status')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title') }])
  const { data, error } = useQuery(statusQuery)
  return (
    <div className={resourceClasses['page']}>
      <PageHeader title={t('title')} facts={t('lead')} />
      <div className={resourceClasses['body']}>
        {error !== null && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {data === undefined ? (
          <Skeleton height={320} />
        ) : (
          <div className={classes['cards']}>
            <Region status={data} />
            <Queue status={data} />
            <Storage status={data} />
            <Backup status={data} />
            {data.is_whole && <Servers status={data} />}
          </div>
        )}
        {data !== undefined && !data.is_whole && <p className="small muted">{t('partial')}</p>}
      </div>
    </div>
  )
}

/** A card of names and values. */
function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <dl className={classes['facts']}>{children}</dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** An instant as the time since, with the whole date on hover. */
function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={format.instant(at)}>
      {format.ago(at)}
    </time>
  )
}

/** The region that is published to all servers. */
function Region({ status: { region, servers_running: running } }: { status: PlatformStatus }) {
  const { t } = useTranslation('status')
  if (region === null) {
    return (
      <Card title={t('region.title')}>
        <p className="muted">{t('region.none')}</p>
      </Card>
    )
  }
  const waiting = running - region.in_use_by - region.refused_by
  return (
    <Facts title={t('region.title')}>
      <Fact label={t('region.date')}>{region.data_date === null ? t('unknown') : format.day(region.data_date)}</Fact>
      <Fact label={t('region.published')}>
        <Ago at={region.set_at} /> · <span className="num">{region.bundle}</span> · {format.bytes(region.bytes)}
      </Fact>
      <Fact label={t('region.use')}>
        <span className={classes['badges']}>
          <Badge tone="ok">{t('region.in_use', { count: region.in_use_by })}</Badge>
          {waiting > 0 && <Badge tone="info">{t('region.waiting', { count: waiting })}</Badge>}
          {region.refused_by > 0 && <Badge tone="danger">{t('region.refused', { count: region.refused_by })}</Badge>}
        </span>
      </Fact>
    </Facts>
  )
}

/** The work that waits, runs and failed. */
function Queue({ status: { queue } }: { status: PlatformStatus }) {
  const { t } = useTranslation('status')
  const { counts, others, oldest_waits_s: oldest } = queue
  return (
    <Card title={t('queue.title')} aside={<Link to="/settings/taches">{t('queue.all')}</Link>}>
      <dl className={classes['facts']}>
        <Fact label={t('queue.running')}>{format.number(counts.running)}</Fact>
        <Fact label={t('queue.waiting')}>{format.number(counts.waiting)}</Fact>
        <Fact label={t('queue.dead')}>
          {counts.dead > 0 ? <Badge tone="danger">{format.number(counts.dead)}</Badge> : format.number(0)}
        </Fact>
        {oldest !== null && (
          <Fact label={t('queue.oldest')}>
            {oldest < 60 ? t('queue.underMinute') : t('queue.minutes', { count: Math.floor(oldest / 60) })}
          </Fact>
        )}
        {others.waiting + others.running > 0 && <Fact label={t('queue.others')}>{format.number(others.waiting + others.running)}</Fact>}
      </dl>
    </Card>
  )
}

/** The program, the database and the files. */
function Storage({ status: { version, database, blobs, servers_running: running } }: { status: PlatformStatus }) {
  const { t } = useTranslation('status')
  return (
    <Facts title={t('storage.title')}>
      <Fact label={t('storage.version')}>{version}</Fact>
      <Fact label={t('storage.servers')}>{format.number(running)}</Fact>
      <Fact label={t('storage.database')}>
        {t(`storage.${database.kind}`)}
        {database.schema !== null && <span className="small muted"> · {t('storage.schema', { name: database.schema })}</span>}
      </Fact>
      <Fact label={t('storage.files')}>
        {t(blobs.in_bucket ? 'storage.bucket' : 'storage.folder')}{' '}
        <Badge tone={blobs.state === 'failing' ? 'danger' : 'ok'}>
          {t(blobs.state === 'failing' ? 'storage.failing' : 'storage.works')}
        </Badge>
      </Fact>
    </Facts>
  )
}

/** The last backup. */
function Backup({ status: { backup, database, at } }: { status: PlatformStatus }) {
  const { t } = useTranslation('status')
  if (backup === null) {
    return (
      <Card title={t('backup.title')}>
        <p className="muted">{t(`backup.none.${database.kind}`)}</p>
      </Card>
    )
  }
  return (
    <Facts title={t('backup.title')}>
      <Fact label={t('backup.made')}>
        <Ago at={backup.made_at} /> {isLate(backup.made_at, at) && <Badge tone="warn">{t('backup.late')}</Badge>}
      </Fact>
      <Fact label={t('backup.size')}>{format.bytes(backup.bytes)}</Fact>
      {backup.missing > 0 && (
        <Fact label={t('backup.lacks')}>
          <Badge tone="danger">{t('backup.missing', { count: backup.missing })}</Badge>
        </Fact>
      )}
      {backup.file !== null && (
        <Fact label={t('backup.file')}>
          <span className={classes['long']}>{backup.file}</span>
        </Fact>
      )}
    </Facts>
  )
}

/** Each server, for superadmins. */
function Servers({ status: { servers } }: { status: PlatformStatus }) {
  const { t } = useTranslation('status')
  return (
    <section className={classes['servers']} aria-labelledby="status-servers">
      <h2 id="status-servers">{t('servers.title')}</h2>
      {servers.length === 0 && <p className="muted">{t('servers.none')}</p>}
      <ul>
        {servers.map((server) => (
          <li key={server.name}>
            <Server server={server} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Server({ server }: { server: ServerStatus }) {
  const { t } = useTranslation('status')
  const {
    name,
    is_this: here,
    is_running: running,
    region_state: state,
    region_percent: percent,
    disk_free: free,
    disk_total: total,
  } = server
  return (
    <div className={classes['server']}>
      <p className={classes['name']}>
        <strong className={classes['long']}>{name}</strong>
        <Badge tone={running ? 'ok' : 'danger'}>{t(running ? 'servers.running' : 'servers.silent')}</Badge>
        {here && <span className="small muted">{t('servers.here')}</span>}
      </p>
      <dl className={classes['facts']}>
        <Fact label={t('servers.version')}>{server.version}</Fact>
        <Fact label={t('servers.started')}>
          <Ago at={server.started_at} />
        </Fact>
        <Fact label={t('servers.seen')}>
          <Ago at={server.seen_at} />
        </Fact>
        <Fact label={t('servers.region')}>
          <span className={classes['badges']}>
            {server.data_date === null ? t('servers.noRegion') : t('servers.data', { day: format.day(server.data_date) })}
            {server.bundle !== null && <span className="num small muted">{server.bundle}</span>}
            <Badge tone={toneOf[state]}>
              {percent === null ? t(`servers.state.${state}`) : t('servers.percent', { percent: format.percent(percent, 0) })}
            </Badge>
          </span>
          {server.region_problem !== null && <span className={`small ${classes['problem']}`}>{server.region_problem}</span>}
        </Fact>
        {free !== null && total !== null && (
          <Fact label={t('servers.disk')}>
            {t('servers.free', { free: format.bytes(free), total: format.bytes(total) })}{' '}
            {isNearlyFull(server) && <Badge tone="warn">{t('servers.full')}</Badge>}
          </Fact>
        )}
      </dl>
    </div>
  )
}
