import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { useListState } from '@/records/list/useListState'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import { TableMenu } from './lazy'

beforeEach(async () => {
  stubLayout()
  await ensureTexts('common', 'errors', 'shell', 'resource', 'table')
})
afterEach(() => vi.restoreAllMocks())

function Page() {
  const list = useListState({ filterKeys: [], defaultSort: 'title' })
  return (
    <>
      <TableMenu base="/api/v1/pois" queryKey={['poi']} may="content.write" list={list} />
      <Toaster />
    </>
  )
}

it('shows a reader what it refuses, by keyboard too, with the reason', async () => {
  const { cache } = await renderPage(Page)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['content.read'] }))
  screen.getByRole('button', { name: 'Tableau' }).focus()
  await userEvent.keyboard('{Enter}')
  const items = await screen.findAllByRole('menuitem')
  const reason = 'Votre rôle ne permet pas de modifier ces fiches.'
  expect(items.map((item) => [item.textContent, item.getAttribute('aria-disabled'), item.title])).toEqual([
    ['Exporter en tableau (Excel)', 'true', reason],
    ['Exporter en tableau (CSV)', 'true', reason],
    ['Importer un tableau', 'true', reason],
  ])
  await waitFor(() => expect(document.activeElement).toBe(items[0]))
  await userEvent.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(items[2])
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText(reason)).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('exports and imports for others', async () => {
  await renderPage(Page)
  await userEvent.click(screen.getByRole('button', { name: 'Tableau' }))
  const [excel, , imported] = await screen.findAllByRole('menuitem')
  expect(excel?.getAttribute('href')).toMatch(/format=xlsx/)
  expect(imported?.getAttribute('aria-disabled')).toBeNull()
})

it('keeps the focus in what it says when the button of a step goes away', async () => {
  const server = aServer()
  const none = { changed: 0, unchanged: 0, conflicts: 0, refused: 0, columns: [], items: [] }
  const report = { ...none, written: false, rows: 1, created: 1, token: 't' }
  server.mockImplementation((_, path) => {
    if (path === '/api/v1/session') return Promise.resolve(me)
    return Promise.resolve(path.endsWith('/undo') ? { applied: 1, unchanged: 0, refused: 0, items: [] } : report)
  })
  await renderPage(Page)
  await userEvent.click(screen.getByRole('button', { name: 'Tableau' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Importer un tableau' }))
  const dialog = await screen.findByRole('dialog')
  const field = await waitFor(() => within(dialog).getByLabelText(/^Déposez le tableau/))
  await userEvent.upload(field, new File(['id;title_fr'], 'pois.csv'))
  const press = async (name: string, says: RegExp) => {
    const button = await within(dialog).findByRole('button', { name })
    button.focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(button.isConnected).toBe(false))
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(says))
    expect(dialog.contains(document.activeElement)).toBe(true)
  }
  await press('Écrire 1 fiche', /^Le tableau est écrit/)
  await press('Annuler cet import', /^1 fiche est revenue/)
  vi.unstubAllGlobals()
})
