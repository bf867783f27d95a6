import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ComponentType } from 'react'
import type { Me } from '@/api/types'
import { setPayload } from '@/api/payload'
import { makeQueryClient } from '@/api/query-client'
import { meKey } from '@/api/signed-in-user'
import { parseSearch, stringifySearch } from '@/app/search'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { aPayload } from './payload'

export const me: Me = {
  id: 7,
  first_name: 'Maïlys',
  last_name: 'Corvanne',
  email: 'm@x.example',
  role: 'editor',
  locale: 'fr',
  advanced_view: true,
  single_keys: true,
  structure: { id: 1, name: 'OT' },
  white_labels: [],
  map_bbox: null,
  deposit_percent: 30,
  active_white_label_id: 1,
  capabilities: ['content.write'],
  session_expires_at: '2099-01-01T00:00:00Z',
  totp_enabled: false,
  totp_required: false,
}

/** One page under test at `/here`, another at `/there`, with the router, the cache and the kit around. */
export async function renderPage(Page: ComponentType, at = '/here') {
  await startTexts('fr', ['common', 'errors', 'shell'])
  setPayload(aPayload({ profiles: [] }))
  const cache = makeQueryClient()
  cache.setQueryData(meKey, me)
  const root = createRootRoute({
    component: () => (
      <AppTheme>
        <QueryClientProvider client={cache}>
          <Link to={'/there' as never}>ailleurs</Link>
          <Link to={'/here' as never} search={{ tab: 'sales' } as never}>
            autre onglet
          </Link>
          <Outlet />
        </QueryClientProvider>
      </AppTheme>
    ),
  })
  const here = createRoute({ getParentRoute: () => root, path: '/here', component: () => <Page /> })
  const there = createRoute({ getParentRoute: () => root, path: '/there', component: () => <h1>Ailleurs</h1> })
  const router = createRouter({
    routeTree: root.addChildren([here, there]),
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch,
    stringifySearch,
  })
  const view = render(<RouterProvider router={router as never} />)
  await view.findByText('ailleurs')
  return { ...view, router, cache }
}
