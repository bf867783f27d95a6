import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { BinItem, RecordUses } from '@/api/types'
import { useCan } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Dialog } from '@/ui/dialog/Dialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { FilterBar } from '@/records/list/FilterBar'
import { listQuery, readListState, type ListConfig } from '@/records/list/list-state'
import { ResourceList, type Column } from '@/records/list/ResourceList'
import { useListState } from '@/records/list/useListState'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { placeOf, recordKinds, titleText } from '@/records/resource/kinds'
import classes from '@/records/resource/resource.module.css'
import { UseList } from '@/records/resource/UseList'

export const texts = ['settings', 'resource', 'bin']

const config: ListConfig = { filterKeys: ['kind'], defaultSort: '-deleted_at' }
const binQuery = (request: Record<string, string | number | undefined>) =>
  queryOptions({
    queryKey: ['bin', request],
    queryFn: () => unwrap(api.GET('/api/v1/bin', { params: { query: request } })),
    placeholderData: keepPreviousData,
  })

export const load = ({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }) =>
  queryClient.ensureQueryData(binQuery(listQuery(readListState(search, config))))

/** `/settings/corbeille`: what was deleted, for thirty days. */
export function Page() {
  const { t } = useTranslation('bin')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('settings:bin') }])
  const list = useListState(config)
  const result = useQuery(binQuery(list.query))
  const kindOf = (kind: string) => textFor(`resource:use.${kind}`) ?? kind
  const columns: Column<BinItem>[] = [
    {
      key: 'title',
      header: t('what'),
      phone: 'main',
      render: ({ title, kind }) => (
        <span className={classes['nameCell']}>
          <span>
            <strong className="clamp2">{titleText(title)}</strong>
            <span className="small muted">{kindOf(kind)}</span>
          </span>
        </span>
      ),
    },
    { key: 'white_label', header: t('owner'), width: '18%', phone: 'hidden', render: ({ white_label }) => white_label?.name ?? '–' },
    {
      key: 'deleted_at',
      header: t('deleted'),
      width: '22%',
      render: ({ deleted_at: at, deleted_by: by }) => (
        <span title={format.instant(at)}>{t('deletedBy', { when: format.ago(at), by: by?.name ?? t('resource:someone') })}</span>
      ),
    },
    { key: 'expires_at', header: t('expires'), width: '14%', phone: 'hidden', render: ({ expires_at: at }) => format.day(at) },
    {
      key: 'restore',
      header: <span className="visually-hidden">{t('restore')}</span>,
      width: '150px',
      render: (item) => <Restore item={item} />,
    },
  ]
  return (
    <div className={classes['page']}>
      <PageHeader title={t('settings:bin')} facts={t('lead')} />
      <div className={classes['body']}>
        <FilterBar
          list={list}
          filters={[
            { key: 'kind', label: t('kind'), kind: 'one', choices: recordKinds.map((kind) => ({ value: kind, label: kindOf(kind) })) },
          ]}
          searchLabel={t('search')}
        />
        <ResourceList
          label={t('settings:bin')}
          list={list}
          result={result}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ title }) => titleText(title)}
          empty={<EmptyState title={t('empty')} text={t('emptyText')} />}
        />
      </div>
    </div>
  )
}

function Restore({ item }: { item: BinItem }) {
  const { t } = useTranslation('bin')
  const may = useCan('content.write')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [places, setPlaces] = useState<RecordUses | null>(null)
  const title = titleText(item.title)
  const failed = (error: unknown) => toastError(t('resource:because', { what: t('failed', { title }), why: problemText(error) }))
  const send = useMutation({
    mutationFn: (putBack: boolean) =>
      unwrap(api.POST('/api/v1/bin/{id}/restoration', { params: { path: { id: item.id }, query: putBack ? { put_back: true } : {} } })),
    onSuccess: async ({ kind, record_id: id, put_back: back, left }) => {
      setPlaces(null)
      await cache.invalidateQueries()
      const place = placeOf(kind, id)
      const sentences = [
        t('restored', { title }),
        ...(back > 0 ? [t('putBack', { count: back, n: format.number(back) })] : []),
        ...(left > 0 ? [t('left', { count: left, n: format.number(left) })] : []),
      ]
      toast({
        text: sentences.join(' '),
        ...(place === undefined ? {} : { action: { label: t('resource:open'), run: () => void navigate({ to: place }) } }),
      })
    },
    onError: failed,
  })
  // First the uses are read; a record without uses is restored directly.
  const ask = useMutation({
    mutationFn: () => unwrap(api.GET('/api/v1/bin/{id}/uses', { params: { path: { id: item.id } } })),
    onSuccess: (found) => (found.total === 0 ? send.mutate(false) : setPlaces(found)),
    onError: failed,
  })
  return (
    <>
      <Button
        size="small"
        icon={<IconRestore size={16} stroke={1.75} aria-hidden />}
        busy={ask.isPending || send.isPending}
        disabledReason={may ? undefined : t('resource:notAllowed')}
        aria-label={t('restoreThis', { title })}
        onClick={() => ask.mutate()}
      >
        {t('restore')}
      </Button>
      {places !== null && (
        <Dialog
          opened
          onClose={() => setPlaces(null)}
          title={t('restoreThis', { title })}
          actions={
            <>
              <Button onClick={() => setPlaces(null)}>{t('common:cancel')}</Button>
              <Button busy={send.isPending} onClick={() => send.mutate(false)}>
                {t('restoreAlone')}
              </Button>
              <Button look="primary" busy={send.isPending} data-autofocus onClick={() => send.mutate(true)}>
                {t('restoreThere', { count: places.total, n: format.number(places.total) })}
              </Button>
            </>
          }
        >
          <p>{t('wasThere', { count: places.total, n: format.number(places.total) })}</p>
          <UseList uses={places.items} total={places.total} hidden={places.hidden_total} />
        </Dialog>
      )}
    </>
  )
}
