import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ParcoursRow } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import MenuBox from '@/ui/menu/MenuBox'
import type { Opening } from '@/ui/menu/useOpening'
import { textOf } from '@/ui/format'
import { useImpactGuard } from '@/records/impact/useImpactGuard'
import { DeleteDialog, DuplicateDialog } from '../dialogs/lazy'
import { useRowActions } from './actions'

/** The actions on one parcours from the list, once the pointer or the focus came to its button. Those that are not allowed give the reason instead of being hidden. */
export default function RowActions({ row, opening }: { row: ParcoursRow; opening: Opening }) {
  const { t } = useTranslation('parcours')
  const navigate = useNavigate()
  const { publication } = useRowActions()
  const guard = useImpactGuard({
    kind: 'parcours',
    action: 'unpublish',
    title: t('menu.unpublishAsk', { title: textOf(row.title) }),
    confirm: t('menu.unpublish'),
  })
  const publish = () => publication.mutate({ row, publish: !row.published })
  const mayWrite = useCan('content.write')
  const mayPublish = useCan('content.publish')
  const [dialog, setDialog] = useState<'duplicate' | 'delete' | null>(null)
  const id = String(row.id)
  const why = !row.mine ? t('menu.notYours', { name: row.white_label.name }) : t('menu.readOnly')
  const open = (to: '/parcours/$id' | '/parcours/$id/edit-trace') => () => void navigate({ to, params: { id } })
  return (
    <>
      <MenuBox
        position="bottom-end"
        zIndex={150}
        opening={opening}
        entries={() => [
          { label: t('menu.open'), onSelect: open('/parcours/$id') },
          { label: t(row.mine && mayWrite ? 'menu.editTrace' : 'menu.seeTrace'), onSelect: open('/parcours/$id/edit-trace') },
          {
            label: t('menu.duplicate'),
            disabled: !mayWrite,
            title: mayWrite ? undefined : t('menu.readOnly'),
            onSelect: () => setDialog('duplicate'),
          },
          {
            label: t(row.published ? 'menu.unpublish' : 'menu.publish'),
            disabled: !row.mine || !mayPublish,
            title: row.mine && mayPublish ? undefined : why,
            onSelect: () => (row.published ? guard.ask(row.id, publish) : publish()),
          },
          'divider',
          {
            label: t('menu.delete'),
            disabled: !row.mine || !mayWrite,
            title: row.mine && mayWrite ? undefined : why,
            onSelect: () => setDialog('delete'),
          },
        ]}
      />
      {guard.dialog}
      {dialog === 'duplicate' && <DuplicateDialog parcours={row} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && <DeleteDialog parcours={row} onClose={() => setDialog(null)} />}
    </>
  )
}
