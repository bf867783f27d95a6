import { Menu } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { useCan } from '@/api/session'
import { IconButton } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { MenuItem } from '@/ui/menu/MenuItem'
import { usePhone } from '@/ui/usePhone'
import { DeleteDialog, DuplicateDialog } from '../../dialogs/lazy'
import { useSheet } from '../context'
import { RecalculateDialog } from '../dialogs/RecalculateDialog'
import classes from '../sheet.module.css'
import { usePublish } from './PublishButton'

const HistoryDrawer = lazyDialog(async () => ({ default: (await import('../history/HistoryDrawer')).HistoryDrawer }))

type Open = 'duplicate' | 'recalculate' | 'delete' | 'history'

/** The less frequent actions: duplicate, recalculate, history, delete; on a phone, publish too. */
export function HeaderMenu() {
  const { t } = useTranslation('sheet')
  const { parcours, form } = useSheet()
  const navigate = useNavigate()
  const mayWrite = useCan('content.write')
  const phone = usePhone()
  const [open, setOpen] = useState<Open | null>(null)
  // Here, not in the menu: what it asks must stay when the menu closes.
  const publishing = usePublish()
  const close = () => setOpen(null)
  const leave = () => {
    form.revert()
    return navigate({ to: '/parcours', ignoreBlocker: true })
  }
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true }
  return (
    <>
      <Menu position="bottom-end" width={290} shadow="md" zIndex={300}>
        <Menu.Target>
          <IconButton label={t('menu.label')} icon={<IconDots {...icon} />} />
        </Menu.Target>
        <Menu.Dropdown>
          {/* Rendered on phones only: hidden by CSS it would still be the first item, which Mantine focuses. */}
          {parcours.editable && phone && <PublishItem {...publishing} />}
          <MenuItem
            leftSection={<IconCopy {...icon} />}
            reason={mayWrite ? undefined : t('notAllowed')}
            onClick={() => setOpen('duplicate')}
          >
            {t('menu.duplicate')}
          </MenuItem>
          {parcours.editable && (
            <Menu.Item leftSection={<IconRefresh {...icon} />} disabled={parcours.trace === null} onClick={() => setOpen('recalculate')}>
              {t('menu.recalculate')}
              {parcours.trace === null && <small className={classes['menuReason']}>{t('itinerary.none')}</small>}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => setOpen('history')}>
            {t('menu.history')}
          </Menu.Item>
          {parcours.editable && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => setOpen('delete')}>
                {t('menu.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {publishing.dialog}
      <RecalculateDialog opened={open === 'recalculate'} onClose={close} />
      {open === 'duplicate' && <DuplicateDialog parcours={parcours} unsaved={form.store.dirtyPaths().length} onClose={close} />}
      {open === 'delete' && <DeleteDialog parcours={parcours} onClose={close} onDeleted={leave} />}
      {open === 'history' && <HistoryDrawer onClose={close} />}
    </>
  )
}

function PublishItem({ on, run, reason }: Pick<ReturnType<typeof usePublish>, 'on' | 'run' | 'reason'>) {
  const { t } = useTranslation('sheet')
  return (
    <MenuItem leftSection={<IconWorld size={18} stroke={1.75} aria-hidden />} reason={reason} onClick={run}>
      {t(on ? 'publish' : 'unpublish')}
    </MenuItem>
  )
}
