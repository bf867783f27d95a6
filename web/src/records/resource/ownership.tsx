import { Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Owned } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { useCan, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { OwnerBadge, PublicationBadge } from '@/records/badge/record-badges'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import type { ImpactKind } from '@/records/impact/impact'
import { useImpactGuard } from '@/records/impact/useImpactGuard'
import { problemText } from '@/records/problem-text'

/** The owner of a record, and whether it is published, here or on the user's own white-label. */
export function OwnedFacts({ record }: { record: Pick<Owned, 'mine' | 'white_label' | 'published' | 'published_on_mine'> }) {
  return (
    <>
      <PublicationBadge record={record} />
      {!record.mine && <OwnerBadge name={record.white_label.name} />}
    </>
  )
}

/** Adds a record of another white-label to the user's own, publishes it there, or removes it. It is never edited. */
export function OnMine({ base, record }: { base: '/api/v1/pois' | '/api/v1/medias'; record: Owned & { id: number } }) {
  const { t } = useTranslation('resource')
  const me = useMe()
  const may = useCan('content.publish')
  const cache = useQueryClient()
  const place = `${base}/{id}/white-labels/{white_label_id}` as const
  const params = { path: { id: record.id, white_label_id: me.active_white_label_id } }
  const here = record.white_labels.find(({ id }) => id === me.active_white_label_id)
  const send = useMutation({
    mutationFn: (action: 'publish' | 'unpublish' | 'add' | 'remove') =>
      unwrap(action === 'remove' ? api.DELETE(place, { params }) : api.PUT(place, { params, body: { published: action === 'publish' } })),
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
      <Button
        look="primary"
        busy={send.isPending}
        disabledReason={reason}
        onClick={() => send.mutate(here?.published === true ? 'unpublish' : 'publish')}
      >
        {t(here?.published === true ? 'mine.unpublish' : 'mine.publish')}
      </Button>
      {may && (
        <Menu position="bottom-end" shadow="md" zIndex={150}>
          <Menu.Target>
            <Button icon={<IconChevronDown size={16} stroke={2} aria-hidden />}>{t('mine.more')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {here === undefined ? [item('add')] : [item(here.published ? 'unpublish' : 'publish'), item('remove')]}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

/** Publishes or unpublishes a record of the user's own white-label. */
export function Publish<R extends { id: number; version: number; published: boolean }>({
  send: change,
  kind,
  record,
  cacheRecord,
}: {
  send: (on: boolean) => Promise<R>
  kind: ImpactKind
  record: R
  cacheRecord: (record: R) => void
}) {
  const { t } = useTranslation('resource')
  const may = useCan('content.publish')
  const send = useMutation({
    mutationFn: () => change(!record.published),
    onSuccess: (saved) => {
      cacheRecord(saved)
      toast({ text: t(saved.published ? 'published' : 'unpublished') })
    },
    onError: (error) => toastError(`${t('common:bulk.failed')} ${problemText(error)}`),
  })
  const guard = useImpactGuard({ kind, action: 'unpublish', title: t('unpublishAsk'), confirm: t('unpublish') })
  return (
    <>
      <Button
        busy={send.isPending}
        disabledReason={may ? undefined : t('notAllowed')}
        onClick={() => (record.published ? guard.ask(record.id, () => send.mutate()) : send.mutate())}
      >
        {t(record.published ? 'unpublish' : 'publish')}
      </Button>
      {guard.dialog}
    </>
  )
}
