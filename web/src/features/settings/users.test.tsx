import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts, startTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
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

/** What the server has after a change. */
let changed: Partial<typeof user> = {}
/** The actions that were sent: method and path. */
const sent: string[] = []

async function sheetOf(id: number, own: Partial<typeof user> = {}) {
  sent.length = 0
  changed = {}
  vi.stubGlobal('fetch', (input: unknown, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(String(input), window.location.origin)
    const isRecord = /^\/api\/v1\/users\/[^/]+$/.test(pathname)
    const admin = { ...me, role: 'superadmin', capabilities: ['users.manage'] }
    if (method !== 'GET') sent.push(`${method} ${pathname}`)
    if (pathname.endsWith('/sessions')) return Promise.resolve(Response.json({ code: 'forbidden' }, { status: 403 }))
    const isUser = isRecord || method !== 'GET'
    return Promise.resolve(
      Response.json(pathname === '/api/v1/session' ? admin : isUser ? { ...user, id, ...own, ...changed } : { items: [], total: 0 }),
    )
  })
  const { Page } = await users.record()
  const { cache } = await renderPage(() => (
    <Suspense>
      <Page />
      <Toaster />
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

it('changes an account after a question, and says what failed', async () => {
  await sheetOf(me.id + 1, { totp_enabled: true })
  const ask = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name }))
    return within(await screen.findByRole('dialog'))
  }
  await userEvent.click((await ask('Bloquer')).getByRole('button', { name: 'Annuler' }))
  expect(sent).toEqual([])
  const path = `/api/v1/users/${me.id + 1}`
  const drop = await ask('Retirer la double authentification')
  expect(drop.getByText(/^À faire si Maïlys Corvanne a perdu son téléphone/)).toBeTruthy()
  await userEvent.click(drop.getByRole('button', { name: 'Retirer la double authentification' }))
  expect(await screen.findByText('Double authentification retirée.')).toBeTruthy()
  await userEvent.click((await ask('Fermer ses sessions')).getByRole('button', { name: 'Fermer ses sessions' }))
  expect(await screen.findByText(/^Les sessions n’ont pas été fermées/)).toBeTruthy()
  expect(sent).toEqual([`DELETE ${path}/totp`, `DELETE ${path}/sessions`])
})

it('unblocks an account without a question', async () => {
  await sheetOf(me.id + 1, { status: 'blocked' })
  expect(screen.queryByRole('button', { name: 'Fermer ses sessions' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Débloquer' }))
  await waitFor(() => expect(sent).toEqual([`PATCH /api/v1/users/${me.id + 1}`]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('keeps the focus on the button that blocks and unblocks', async () => {
  await sheetOf(me.id + 1)
  changed = { status: 'blocked', version: 3 }
  await userEvent.click(screen.getByRole('button', { name: 'Bloquer' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Bloquer' }))
  const unblock = await screen.findByRole('button', { name: 'Débloquer' })
  await waitFor(() => expect(document.activeElement).toBe(unblock))
  expect(screen.queryByRole('dialog')).toBeNull()
  changed = { status: 'active', version: 4 }
  await userEvent.keyboard('{Enter}')
  const block = await screen.findByRole('button', { name: 'Bloquer' })
  expect(document.activeElement).toBe(block)
})
