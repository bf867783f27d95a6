import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useTranslation } from '@/i18n'
import { helpArea } from './areas'
import classes from './BottomBar.module.css'
import { AreaLink, AreaList } from './Sidebar'
import { WhiteLabelSwitcher } from './WhiteLabelSwitcher'

/** On a phone, all places to go to, from below. */
export default function MoreDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  // Rendered closed first: only then does it record the element to which focus returns.
  const there = useMounted()
  return (
    <Drawer.Root opened={opened && there} onClose={onClose} position="bottom" zIndex={200} classNames={{ content: classes['panel'] ?? '' }}>
      <Drawer.Overlay />
      <Drawer.Content radius={14}>
        <Drawer.Body>
          <div className={classes['head']}>
            <Drawer.Title>{t('nav.all')}</Drawer.Title>
            <Drawer.CloseButton aria-label={t('nav.close')} />
          </div>
          <nav className={classes['more']} aria-label={t('nav.all')}>
            <WhiteLabelSwitcher />
            <AreaList onGo={onClose} />
            <AreaLink area={helpArea} onGo={onClose} />
          </nav>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
