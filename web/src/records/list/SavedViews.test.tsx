import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import type { SavedView } from '@/api/types'
import { Toaster } from '@/ui/feedback/toast'
import type { ColumnControl } from './ColumnChoice'
import { SavedViews } from './SavedViews'
import { useListState } from './useListState'

const config = { filterKeys: ['owner'], defaultSort: 'title' }
const columns: ColumnControl<unknown> = { columns: [], all: [], shown: [], setShown: () => undefined }
const theView: SavedView = {
  id: 4,
  name: 'Les miens',
  query: 'owner=mine&sort=title',
  columns: [],
  resource: 'pois',
  shared: false,
  mine: true,
}

function Page() {
  const list = useListState(config)
  return (
    <>
      <SavedViews resource="pois" path="/here" list={list} columns={columns} />
      <Toaster />
    </>
  )
}

let views: SavedView[] = []
let server: ReturnType<typeof aServer>
beforeEach(() => {
  stubLayout()
  views = []
  server = aServer()
  server.mockImplementation((method, path, sent) => {
    if (path === '/api/v1/session') return Promise.resolve(me)
    if (method === 'POST') {
      views = [theView]
      return Promise.resolve(theView)
    }
    if (method === 'PATCH') {
      views = views.map((view) => ({ ...view, ...(sent?.body as Partial<SavedView>) }))
      return Promise.resolve(views[0])
    }
    if (method === 'DELETE') {
      views = []
      return Promise.resolve(undefined)
    }
    return Promise.resolve({ items: views })
  })
})
afterEach(() => vi.restoreAllMocks())

const menuOf = async (entry: string) => {
  await userEvent.click(await screen.findByRole('button', { name: /^Actions sur la vue/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
}
const dropped = () => server.mock.calls.some(([method]) => method === 'DELETE')

it('puts the focus on the tab of the view that was saved, and counts the letters of its name', async () => {
  await renderPage(Page, '/here?owner=mine')
  await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer cette vue' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByRole('textbox'), 'Les miens')
  expect(within(dialog).getByText('9 / 60')).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Enregistrer cette vue' }))
  const tab = await screen.findByRole('link', { name: 'Les miens' })
  await waitFor(() => expect(document.activeElement).toBe(tab))
})

it('deletes a view of one’s own at once, says so, and puts the focus on the first tab', async () => {
  views = [theView]
  await renderPage(Page, '/here?owner=mine')
  await menuOf('Supprimer cette vue')
  expect(await screen.findByText('Vue supprimée.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Tout' })))
})

it('leaves the focus where it is when the tabs come back', async () => {
  views = [theView]
  const { router } = await renderPage(Page, '/here?owner=mine')
  await menuOf('Supprimer cette vue')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Tout' })))
  act(() => router.history.push('/here'))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Tout' })).toBeNull())
  act(() => router.history.push('/here?owner=mine'))
  expect(document.activeElement).not.toBe(await screen.findByRole('link', { name: 'Tout' }))
})

it('asks before it deletes a view that is shared', async () => {
  views = [{ ...theView, shared: true }]
  await renderPage(Page, '/here?owner=mine')
  await menuOf('Supprimer cette vue')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Elle est partagée')
  expect(dropped()).toBe(false)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Supprimer cette vue' }))
  await waitFor(() => expect(dropped()).toBe(true))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Tout' })))
})

it('renames a view, and keeps what it shows', async () => {
  views = [theView]
  await renderPage(Page, '/here?owner=mine')
  await menuOf('Renommer cette vue')
  const name = within(await screen.findByRole('dialog')).getByRole('textbox')
  await userEvent.clear(name)
  await userEvent.type(name, 'À nous')
  await userEvent.click(screen.getByRole('button', { name: 'Renommer cette vue' }))
  expect(await screen.findByRole('link', { name: 'À nous' })).toBeTruthy()
  expect(server.mock.calls.find(([method]) => method === 'PATCH')?.[2]?.body).toEqual({ name: 'À nous', shared: false })
})

it('saves the view with Entrée in its name, once there is one', async () => {
  await renderPage(Page, '/here?owner=mine')
  await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer cette vue' }))
  const name = within(await screen.findByRole('dialog')).getByRole('textbox')
  await userEvent.type(name, ' {Enter}')
  expect(server.mock.calls.some(([method]) => method === 'POST')).toBe(false)
  await userEvent.type(name, 'Les miens{Enter}')
  expect(await screen.findByRole('link', { name: 'Les miens' })).toBeTruthy()
  expect(server.mock.calls.filter(([method]) => method === 'POST')).toHaveLength(1)
})
