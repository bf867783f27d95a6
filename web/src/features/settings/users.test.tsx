import { act, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts, startTexts } from '@/i18n'
import { users } from './users'

const user = {
  id: me.id,
  version: 2,
  first_name: 'Maïlys',
  last_name: 'Corvanne',
  email: 'm@x.example',
  phone: null,
  role: 'superadmin',
  status: 'active',
  structure_id: 1,
  structure: { id: 1, name: 'OT' },
  white_label_ids: [],
  locale: 'fr',
  has_password: true,
  totp_enabled: false,
  editable: true,
}

beforeEach(async () => {
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('resource', 'people', 'history')
})

async function sheetOf(id: number) {
  vi.stubGlobal('fetch', (input: unknown) => {
    const { pathname } = new URL(String(input), window.location.origin)
    const isRecord = /^\/api\/v1\/users\/[^/]+$/.test(pathname)
    const own = { ...me, role: 'superadmin', capabilities: ['users.manage'] }
    return Promise.resolve(Response.json(pathname === '/api/v1/session' ? own : isRecord ? { ...user, id } : { items: [], total: 0 }))
  })
  const { Page } = await users.record()
  const { cache } = await renderPage(() => (
    <Suspense>
      <Page />
    </Suspense>
  ))
  act(() => void cache.setQueryData(meKey, { ...me, role: 'superadmin', capabilities: ['users.manage'] }))
  await screen.findByText('Rôle')
}

it('shows one’s own role and structure without a field, and says why', async () => {
  await sheetOf(me.id)
  expect(await screen.findByText(/^Vous ne pouvez changer ni votre rôle ni votre structure/)).toBeTruthy()
  expect(screen.queryByLabelText(/^Rôle/)).toBeNull()
  expect(screen.queryByLabelText(/^Structure/)).toBeNull()
  expect(screen.getByLabelText(/^Langue de l’interface/)).toBeTruthy()
})

it('offers the role of another person', async () => {
  await sheetOf(me.id + 1)
  await waitFor(() => expect(screen.getByLabelText(/^Rôle/)).toBeTruthy())
  expect(screen.queryByText(/^Vous ne pouvez changer ni votre rôle/)).toBeNull()
})
