import { Menu } from '@mantine/core'
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { ParcoursRow } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { textOf } from '@/ui/format'
import { useImpactGuard } from '@/records/impact/useImpactGuard'
import { DeleteDialog, DuplicateDialog } from '../dialogs/lazy'
import { useRowActions } from './actions'

/** The actions on one parcours from the list. Those that are not allowed give the reason instead of being hidden. */
export function RowMenu({ row }: { row: ParcoursRow }) {
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
      <Menu position="bottom-end" shadow="md" zIndex={150} withinPortal>
        <Menu.Target>
          <IconButton
            look="ghost"
            size="small"
            label={t('menu.of', { title: textOf(row.title) })}
            icon={<IconDotsVertical size={18} stroke={1.75} aria-hidden />}
          />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={open('/parcours/$id')}>{t('menu.open')}</Menu.Item>
          <Menu.Item onClick={open('/parcours/$id/edit-trace')}>{t(row.mine && mayWrite ? 'menu.editTrace' : 'menu.seeTrace')}</Menu.Item>
          <Menu.Item disabled={!mayWrite} title={mayWrite ? undefined : t('menu.readOnly')} onClick={() => setDialog('duplicate')}>
            {t('menu.duplicate')}
          </Menu.Item>
          <Menu.Item
            disabled={!row.mine || !mayPublish}
            title={row.mine && mayPublish ? undefined : why}
            onClick={() => (row.published ? guard.ask(row.id, publish) : publish())}
          >
            {t(row.published ? 'menu.unpublish' : 'menu.publish')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item disabled={!row.mine || !mayWrite} title={row.mine && mayWrite ? undefined : why} onClick={() => setDialog('delete')}>
            {t('menu.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {guard.dialog}
      <Suspense fallback={null}>
        {dialog === 'duplicate' && <DuplicateDialog parcours={row} onClose={() => setDialog(null)} />}
        {dialog === 'delete' && <DeleteDialog parcours={row} onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  )
}
