import { Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Owned } from '@/api/model'
import { callApi } from '@/api/resource'
import { useCan, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { OwnerBadge, OwnedPublication } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import type { ImpactKind } from '@/ui/impact/impact'
import { useImpactGuard } from '@/ui/impact/useImpactGuard'
import { problemText } from '@/ui/problem-text'

/** Whose it is, and whether it is published: here, or on one's own white-label. */
export function OwnedFacts({ record }: { record: Pick<Owned, 'mine' | 'white_label' | 'published_on_mine'> & { published?: boolean } }) {
  return (
    <>
      {record.published !== undefined && <OwnedPublication record={{ ...record, published: record.published }} />}
      {!record.mine && <OwnerBadge name={record.white_label.name} />}
    </>
  )
}

/** Another's content on one's own white-label: added, published, taken away. Never edited. */
export function OnMine({ base, record }: { base: string; record: Owned & { id: number } }) {
  const { t } = useTranslation('resource')
  const me = useMe()
  const may = useCan('content.publish')
  const cache = useQueryClient()
  const place = `${base}/${record.id}/white-labels/${me.active_white_label_id}`
  const here = record.white_labels.find(({ id }) => id === me.active_white_label_id)
  const send = useMutation({
    mutationFn: (action: 'publish' | 'unpublish' | 'add' | 'remove') => (action === 'remove' ? callApi('DELETE', place) : callApi('PUT', place, { body: { published: action === 'publish' } })),
    onSuccess: async (_, action) => {
      await cache.invalidateQueries()
      toast({ text: t(`mine.done.${action}`) })
    },
    onError: (error) => toastError(`${t('common:bulk.failed')} ${problemText(error)}`),
  })
  const reason = may ? undefined : t('notAllowed')
  const item = (action: 'publish' | 'unpublish' | 'add' | 'remove') => (
    <Menu.Item key={action} onClick={() => send.mutate(action)}>
      {t(`mine.${action}`)}
    </Menu.Item>
  )
  return (
    <>
      <Button look="primary" busy={send.isPending} disabledReason={reason} onClick={() => send.mutate(here?.published === true ? 'unpublish' : 'publish')}>
        {t(here?.published === true ? 'mine.unpublish' : 'mine.publish')}
      </Button>
      {may && (
        <Menu position="bottom-end" shadow="md" zIndex={150}>
          <Menu.Target>
            <Button icon={<IconChevronDown size={16} stroke={2} aria-hidden />}>{t('mine.more')}</Button>
          </Menu.Target>
          <Menu.Dropdown>{here === undefined ? [item('add')] : [item(here.published ? 'unpublish' : 'publish'), item('remove')]}</Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

/** Publish one's own, or take it back. */
export function Publish<R extends { id: number; version: number; published: boolean }>({ base, kind, record, take }: { base: string; kind: ImpactKind; record: R; take: (record: R) => void }) {
  const { t } = useTranslation('resource')
  const may = useCan('content.publish')
  const send = useMutation({
    mutationFn: () => callApi<R>(record.published ? 'DELETE' : 'POST', `${base}/${record.id}/publication`, { version: record.version }),
    onSuccess: (saved) => {
      take(saved)
      toast({ text: t(saved.published ? 'published' : 'unpublished') })
    },
    onError: (error) => toastError(`${t('common:bulk.failed')} ${problemText(error)}`),
  })
  const guard = useImpactGuard({ kind, action: 'unpublish', title: t('unpublishAsk'), confirm: t('unpublish') })
  return (
    <>
      <Button busy={send.isPending} disabledReason={may ? undefined : t('notAllowed')} onClick={() => (record.published ? guard.ask(record.id, () => send.mutate()) : send.mutate())}>
        {t(record.published ? 'unpublish' : 'publish')}
      </Button>
      {guard.dialog}
    </>
  )
}
