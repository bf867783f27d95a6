import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { prefetch } from '@/ui/prefetch'
import { isInside } from './areas'
import classes from './BottomBar.module.css'

const MoreDrawer = lazyDialog(prefetch(() => import('./MoreDrawer')))

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
  const [mounted, setMounted] = useState(false)
  const open = () => {
    setMounted(true)
    setMore(true)
  }
  return (
    <>
      <nav className={classes['bar']} aria-label={t('nav.label')}>
        {places.map(({ to, key, icon: Mark }) => {
          const here = isInside(path, to)
          return (
            <Link
              key={to}
              to={to}
              aria-current={here ? 'page' : undefined}
              data-here={here || undefined}
              activeProps={{}}
              inactiveProps={{}}
            >
              <Mark size={20} stroke={1.75} aria-hidden />
              {t(`nav.${key}`)}
            </Link>
          )
        })}
        <button type="button" aria-expanded={more} onClick={open}>
          <IconDots size={20} stroke={1.75} aria-hidden />
          {t('nav.more')}
        </button>
      </nav>
      {mounted && <MoreDrawer opened={more} onClose={() => setMore(false)} />}
    </>
  )
}
