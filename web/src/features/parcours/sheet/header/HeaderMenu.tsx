import { Menu } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '@/i18n'
import { useCan } from '@/api/session'
import { IconButton } from '@/ui/button/Button'
import { useSheet } from '../context'
import { DeleteDialog } from '../dialogs/DeleteDialog'
import { DuplicateDialog } from '../dialogs/DuplicateDialog'
import { RecalculateDialog } from '../dialogs/RecalculateDialog'
import classes from '../sheet.module.css'
import { usePublish } from './PublishButton'

const HistoryDrawer = lazy(() => import('../history/HistoryDrawer').then(({ HistoryDrawer: component }) => ({ default: component })))

type Open = 'duplicate' | 'recalculate' | 'delete' | 'history'

/** What is done less often: duplicate, recalculate, history, delete; on a phone, publish too. */
export function HeaderMenu() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const mayWrite = useCan('content.write')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true }
  return (
    <>
      <Menu position="bottom-end" width={290} shadow="md" zIndex={300}>
        <Menu.Target>
          <IconButton label={t('menu.label')} icon={<IconDots {...icon} />} />
        </Menu.Target>
        <Menu.Dropdown>
          {parcours.editable && <PublishItem />}
          <Menu.Item leftSection={<IconCopy {...icon} />} disabled={!mayWrite} onClick={() => setOpen('duplicate')}>
            {t('menu.duplicate')}
          </Menu.Item>
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
      <DuplicateDialog opened={open === 'duplicate'} onClose={close} />
      <RecalculateDialog opened={open === 'recalculate'} onClose={close} />
      <DeleteDialog opened={open === 'delete'} onClose={close} />
      {open === 'history' && (
        <Suspense fallback={null}>
          <HistoryDrawer onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function PublishItem() {
  const { t } = useTranslation('sheet')
  const { on, run, reason } = usePublish()
  return (
    <Menu.Item className={classes['phoneOnly'] ?? ''} leftSection={<IconWorld size={18} stroke={1.75} aria-hidden />} disabled={reason !== undefined} onClick={run}>
      {t(on ? 'publish' : 'unpublish')}
    </Menu.Item>
  )
}
