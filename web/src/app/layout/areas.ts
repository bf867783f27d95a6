import type { Icon } from '@tabler/icons-react'
import IconAppWindow from '@tabler/icons-react/dist/esm/icons/IconAppWindow.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconCalendarCheck from '@tabler/icons-react/dist/esm/icons/IconCalendarCheck.mjs'
import IconClipboardCheck from '@tabler/icons-react/dist/esm/icons/IconClipboardCheck.mjs'
import IconBus from '@tabler/icons-react/dist/esm/icons/IconBus.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'

/** An entry of the navigation. */
export interface Area {
  key:
    | 'home'
    | 'parcours'
    | 'pois'
    | 'medias'
    | 'lines'
    | 'closures'
    | 'ground'
    | 'campaigns'
    | 'whiteLabels'
    | 'widget'
    | 'provider'
    | 'statistics'
    | 'settings'
    | 'help'
  icon: Icon
  to:
    | '/'
    | '/parcours'
    | '/pois'
    | '/medias'
    | '/lignes'
    | '/fermetures'
    | '/releves'
    | '/campagnes'
    | '/settings/marques-blanches'
    | '/settings'
    | '/help'
    | '/analytics'
    | '/widget'
    | '/marque-blanche-prestataire'
}

/** The navigation, group by group; the first group has no heading. */
export const areas: readonly { heading?: 'contents' | 'tools' | 'organisation'; items: readonly Area[] }[] = [
  { items: [{ key: 'home', icon: IconLayoutDashboard, to: '/' }] },
  {
    heading: 'contents',
    items: [
      { key: 'parcours', icon: IconRoute, to: '/parcours' },
      { key: 'pois', icon: IconMapPin, to: '/pois' },
      { key: 'medias', icon: IconPhoto, to: '/medias' },
      { key: 'lines', icon: IconBus, to: '/lignes' },
      { key: 'closures', icon: IconBarrierBlock, to: '/fermetures' },
      { key: 'ground', icon: IconClipboardCheck, to: '/releves' },
      { key: 'campaigns', icon: IconCalendarCheck, to: '/campagnes' },
    ],
  },
  {
    heading: 'tools',
    items: [
      { key: 'widget', icon: IconAppWindow, to: '/widget' },
      { key: 'provider', icon: IconLink, to: '/marque-blanche-prestataire' },
      { key: 'statistics', icon: IconChartBar, to: '/analytics' },
    ],
  },
  {
    heading: 'organisation',
    items: [
      { key: 'whiteLabels', icon: IconWorld, to: '/settings/marques-blanches' },
      { key: 'settings', icon: IconSettings, to: '/settings' },
    ],
  },
]

export const helpArea: Area = { key: 'help', icon: IconLifebuoy, to: '/help' }

const under = (path: string, to: string) => path === to || path.startsWith(`${to}/`)

/** Is a path inside an area? The innermost area has it: white-labels are among the settings. */
export function isInside(path: string, to: string): boolean {
  if (to === '/') return path === '/'
  if (to === '/settings' && under(path, '/settings/marques-blanches')) return false
  return under(path, to)
}
