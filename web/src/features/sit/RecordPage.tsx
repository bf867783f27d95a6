import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { SitRecordPage } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { languageName } from '@/records/form/fields'
import { format, textOf } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { Tabs } from '@/ui/Tabs'
import { changeRecord, recordQuery, refresh, statusTones } from './data'
import { LinkedPoi } from './LinkedPoi'
import { More } from './More'
import { Overrides } from './Overrides'
import classes from './sit.module.css'

export { texts } from './data'

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  await queryClient.ensureQueryData(recordQuery(Number(params['id'])))
}

/** `/settings/pois-sit/{lng}/{id}`: the values of the source in a language, and their overrides. */
export function Page() {
  const { t } = useTranslation('sit')
  const { id, lng = 'fr' } = useParams({ strict: false })
  const { data: record } = useQuery(recordQuery(Number(id)))
  const title = record === undefined ? '' : (record.title[lng] ?? textOf(record.title))
  usePageMeta([
    { label: t('resource:group.settings'), link: { to: '/settings' } },
    { label: t('title'), link: { to: '/settings/pois-sit' } },
    { label: title },
  ])
  if (record === undefined) return <Skeleton height={220} />
  const languages = [...new Set(['fr', 'en', ...record.languages])]
  return (
    <div className={classes['page']}>
      <PageHeader title={title} facts={<Facts record={record} />} actions={<Actions record={record} />}>
        <Tabs
          label={t('page.language')}
          tabs={languages.map((language) => ({
            key: language,
            label: languageName(language),
            current: language === lng,
            link: { to: '/settings/pois-sit/$lng/$id', params: { lng: language, id: String(record.id) } },
          }))}
        />
      </PageHeader>
      <div className={classes['body']}>
        {record.status === 'gone' && <Banner tone="warn">{t('page.gone')}</Banner>}
        {record.status === 'hidden' && <Banner tone="info">{t('page.hiddenNote')}</Banner>}
        {record.record.by_machine.includes(lng) && <Banner tone="info">{t('page.machine')}</Banner>}
        {!record.languages.includes(lng) && <Banner tone="info">{t('page.unwritten')}</Banner>}
        <div className={classes['split']}>
          <Overrides key={record.id} record={record} language={lng} />
          <div className={classes['side']}>
            <LinkedPoi record={record} />
            <More record={record.record} language={lng} />
          </div>
        </div>
      </div>
    </div>
  )
}

function Facts({ record }: { record: SitRecordPage }) {
  const { t } = useTranslation('sit')
  const { record: sitRecord, source } = record
  const parts = [
    source.name,
    source.licence === null ? '' : t('page.licence', { name: source.licence }),
    sitRecord.author === null ? '' : t('page.author', { name: sitRecord.author }),
    sitRecord.updated === null ? '' : t('page.updated', { day: format.day(sitRecord.updated) }),
    t('page.id', { id: record.item }),
  ]
  return (
    <span className={classes['headFacts']}>
      <Badge tone={statusTones[record.status]}>{t(`status.${record.status}`)}</Badge>{' '}
      <span>{parts.filter((part) => part !== '').join(' · ')}</span>
    </span>
  )
}

function Actions({ record }: { record: SitRecordPage }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const hidden = record.status === 'hidden'
  const toggle = useMutation({
    mutationFn: () => changeRecord(record, { hidden: !hidden }),
    onSuccess: async () => {
      toast({ text: t('page.saved') })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <>
      {record.record_url !== null && (
        <a className={classes['away']} href={record.record_url} target="_blank" rel="noreferrer">
          {t('page.atSource')}
        </a>
      )}
      {record.status !== 'gone' && (
        <Button
          busy={toggle.isPending}
          {...(record.editable ? {} : { disabledReason: t('page.notAllowed') })}
          onClick={() => toggle.mutate()}
        >
          {t(hidden ? 'page.show' : 'page.hide')}
        </Button>
      )}
    </>
  )
}
