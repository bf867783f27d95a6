import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { useListState } from '@/records/list/useListState'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
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
