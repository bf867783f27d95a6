import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../test/form-host'
import { Page } from './BinPage'

const lake = {
  id: 3,
  kind: 'poi',
  record_id: 8,
  title: { fr: 'Étang du Loup' },
  deleted_at: '2026-11-20T10:00:00Z',
  deleted_by: null,
  expires_at: '2026-12-20T10:00:00Z',
  white_label: null,
}
const mill = { ...lake, id: 4, record_id: 9, title: { fr: 'Moulin' } }
const nowhere = { items: [], total: 0, hidden_total: 0 }
let places: object = nowhere
let requests: string[] = []
let restored = false

beforeEach(async () => {
  requests = []
  restored = false
  places = nowhere
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('settings', 'resource', 'bin')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    if (init.method === 'POST') requests.push(url.pathname + url.search)
    if (url.pathname === '/api/v1/session') return Promise.resolve(Response.json(me))
    if (url.pathname.endsWith('/uses')) return Promise.resolve(Response.json(places))
    const twice = url.searchParams.get('put_back') === 'true'
    if (init.method === 'POST') restored = true
    if (init.method === 'POST')
      return Promise.resolve(Response.json({ kind: 'poi', record_id: 8, put_back: twice ? 2 : 0, left: twice ? 1 : 0 }))
    const items = restored ? [mill] : [lake, mill]
    return Promise.resolve(Response.json({ items, total: items.length }))
  })
})

const Shown = () => (
  <>
    <Page />
    <Toaster />
  </>
)
const restore = async () => userEvent.click(await screen.findByRole('button', { name: 'Restaurer Étang du Loup' }))

it('brings back at once what was nowhere', async () => {
  await renderPage(Shown)
  await restore()
  expect(await screen.findByText('« Étang du Loup » est restauré.')).toBeTruthy()
  expect(requests).toEqual(['/api/v1/bin/3/restoration'])
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label'), 'the focus is on the next row').toBe('Restaurer Moulin'))
})

it('says where it was, and puts it back there when it is asked to', async () => {
  places = {
    items: [
      { kind: 'parcours', id: 5, title: { fr: 'Tour du lac' } },
      { kind: 'parcours', id: 6, title: { fr: 'Boucle' } },
    ],
    total: 3,
    hidden_total: 1,
  }
  await renderPage(Shown)
  await restore()
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('3 endroits')
  expect(
    within(dialog)
      .getByRole('link', { name: /Tour du lac/ })
      .getAttribute('href'),
  ).toBe('/parcours/5')
  expect(requests).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Restaurer et remettre aux 3 endroits' }))
  expect(await screen.findByText(/est restauré\. Remis à 2 endroits\. Un endroit reste tel quel/)).toBeTruthy()
  expect(requests).toEqual(['/api/v1/bin/3/restoration?put_back=true'])
})

it('brings back alone too', async () => {
  places = { items: [], total: 1, hidden_total: 1 }
  await renderPage(Shown)
  await restore()
  await userEvent.click(await screen.findByRole('button', { name: 'Restaurer seulement' }))
  await waitFor(() => expect(requests).toEqual(['/api/v1/bin/3/restoration']))
})
