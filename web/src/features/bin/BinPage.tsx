import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '@/api/resource'
import type { BinItem, Page as PageOf } from '@/api/model'
import { useCan } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { FilterBar } from '@/ui/list/FilterBar'
import { listQuery, readListState, type ListConfig } from '@/ui/list/list-state'
import { ResourceList, type Column } from '@/ui/list/ResourceList'
import { useListState } from '@/ui/list/useListState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import { placeOf, titleText } from '@/ui/resource/kinds'
import classes from '@/ui/resource/resource.module.css'

export const texts = ['settings', 'resource', 'bin']

const config: ListConfig = { filterKeys: ['kind'], defaultSort: '-deleted_at' }
const binQuery = (asked: Record<string, string | number | undefined>) => queryOptions({ queryKey: ['bin', asked], queryFn: () => callApi<PageOf<BinItem>>('GET', '/api/v1/bin', { query: asked }), placeholderData: keepPreviousData })
const kinds = ['parcours', 'poi', 'media', 'transport_line', 'white_label', 'structure', 'contact', 'user', 'itinerary', 'closure', 'provider_link', 'vocabulary', 'import_source', 'translator'] as const

export const load = ({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }) => queryClient.ensureQueryData(binQuery(listQuery(readListState(search, config))))

/** `/settings/corbeille`: what was deleted, for thirty days. */
export function Page() {
  const { t } = useTranslation('bin')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('settings:bin') }])
  const list = useListState(config)
  const result = useQuery(binQuery(list.query))
  const kindOf = (kind: string) => textFor(`resource:use.${kind}`) ?? kind
  const columns: Column<BinItem>[] = [
    { key: 'title', header: t('what'), phone: 'main', render: ({ title, kind }) => (
        <span className={classes['nameCell']}>
          <span>
            <strong className="clamp2">{titleText(title)}</strong>
            <span className="small muted">{kindOf(kind)}</span>
          </span>
        </span>
      ) },
    { key: 'white_label', header: t('owner'), width: '18%', phone: 'hidden', render: ({ white_label }) => white_label?.name ?? '–' },
    { key: 'deleted_at', header: t('deleted'), width: '22%', render: ({ deleted_at: at, deleted_by: by }) => <span title={format.instant(at)}>{t('deletedBy', { when: format.ago(at), by: by?.name ?? t('resource:someone') })}</span> },
    { key: 'expires_at', header: t('expires'), width: '14%', phone: 'hidden', render: ({ expires_at: at }) => format.day(at) },
    { key: 'restore', header: <span className="visually-hidden">{t('restore')}</span>, width: '150px', render: (item) => <Restore item={item} /> },
  ]
  return (
    <div className={classes['page']}>
      <PageHeader title={t('settings:bin')} facts={t('lead')} />
      <div className={classes['body']}>
        <FilterBar list={list} filters={[{ key: 'kind', label: t('kind'), kind: 'one', choices: kinds.map((kind) => ({ value: kind, label: kindOf(kind) })) }]} searchLabel={t('search')} />
        <ResourceList label={t('settings:bin')} list={list} result={result} columns={columns} rowId={({ id }) => id} rowName={({ title }) => titleText(title)} empty={<EmptyState title={t('empty')} text={t('emptyText')} />} />
      </div>
    </div>
  )
}

function Restore({ item }: { item: BinItem }) {
  const { t } = useTranslation('bin')
  const may = useCan('content.write')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const title = titleText(item.title)
  const send = useMutation({
    mutationFn: () => callApi<{ kind: string; record_id: number }>('POST', `/api/v1/bin/${item.id}/restoration`),
    onSuccess: async ({ kind, record_id: id }) => {
      await cache.invalidateQueries()
      const place = placeOf(kind, id)
      toast({ text: t('restored', { title }), ...(place === undefined ? {} : { action: { label: t('resource:open'), run: () => void navigate({ to: place as never }) } }) })
    },
    onError: (error) => toastError(t('resource:because', { what: t('failed', { title }), why: problemText(error) })),
  })
  return (
    <Button size="small" icon={<IconRestore size={16} stroke={1.75} aria-hidden />} busy={send.isPending} disabledReason={may ? undefined : t('resource:notAllowed')} aria-label={t('restoreThis', { title })} onClick={() => send.mutate()}>
      {t('restore')}
    </Button>
  )
}
