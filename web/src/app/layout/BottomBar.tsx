import { Drawer } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { helpArea, isInside } from './areas'
import classes from './BottomBar.module.css'
import { AreaLink, AreaList } from './Sidebar'
import { WhiteLabelSwitcher } from './WhiteLabelSwitcher'

const places = [
  { to: '/', key: 'homeShort', icon: IconLayoutDashboard },
  { to: '/parcours', key: 'parcours', icon: IconRoute },
  { to: '/pois', key: 'poisShort', icon: IconMapPin },
  { to: '/medias', key: 'medias', icon: IconPhoto },
] as const

/** The navigation of a phone: four places, and the rest behind « Plus ». */
export function BottomBar() {
  const { t } = useTranslation('shell')
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [more, setMore] = useState(false)
  return (
    <>
      <nav className={classes['bar']} aria-label={t('nav.label')}>
        {places.map(({ to, key, icon: Mark }) => {
          const here = isInside(path, to)
          return (
            <Link key={to} to={to as never} aria-current={here ? 'page' : undefined} data-here={here || undefined} activeProps={{}} inactiveProps={{}}>
              <Mark size={20} stroke={1.75} aria-hidden />
              {t(`nav.${key}`)}
            </Link>
          )
        })}
        <button type="button" aria-expanded={more} onClick={() => setMore(true)}>
          <IconDots size={20} stroke={1.75} aria-hidden />
          {t('nav.more')}
        </button>
      </nav>
      <Drawer.Root opened={more} onClose={() => setMore(false)} position="bottom" zIndex={200} classNames={{ content: classes['panel'] ?? '' }}>
        <Drawer.Overlay />
        <Drawer.Content radius={14}>
          <Drawer.Body>
            <div className={classes['head']}>
              <Drawer.Title>{t('nav.all')}</Drawer.Title>
              <Drawer.CloseButton aria-label={t('nav.close')} />
            </div>
            <nav className={classes['more']} aria-label={t('nav.all')}>
              <WhiteLabelSwitcher />
              <AreaList onGo={() => setMore(false)} />
              <AreaLink area={helpArea} onGo={() => setMore(false)} />
            </nav>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}
