import type { Icon } from '@tabler/icons-react'
import IconAppWindow from '@tabler/icons-react/dist/esm/icons/IconAppWindow.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'

/** One place of the navigation; `to` is absent while its screen isn't there, and the place says so. */
export interface Area {
  key: 'home' | 'parcours' | 'widget' | 'provider' | 'statistics' | 'settings' | 'help'
  icon: Icon
  to?: '/' | '/parcours' | '/settings' | '/help'
}

/** The navigation, group by group; the first group has no heading. */
export const areas: readonly { heading?: 'contents' | 'tools' | 'organisation'; items: readonly Area[] }[] = [
  { items: [{ key: 'home', icon: IconLayoutDashboard, to: '/' }] },
  { heading: 'contents', items: [{ key: 'parcours', icon: IconRoute, to: '/parcours' }] },
  {
    heading: 'tools',
    items: [
      { key: 'widget', icon: IconAppWindow },
      { key: 'provider', icon: IconLink },
      { key: 'statistics', icon: IconChartBar },
    ],
  },
  { heading: 'organisation', items: [{ key: 'settings', icon: IconSettings, to: '/settings' }] },
]

export const helpArea: Area = { key: 'help', icon: IconLifebuoy, to: '/help' }

/** Is a path inside an area? */
export const isInside = (path: string, to: string): boolean => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`))
