import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Capability } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { me, renderPage } from '../../../../../test/form-host'
import { aParcours } from '../../../../../test/parcours'
import { stubLayout } from '../../../../../test/layout'
import { inSheet } from '../../../../../test/sheet'
import { HeaderMenu } from './HeaderMenu'

beforeEach(async () => {
  stubLayout()
  await ensureTexts('common', 'errors', 'shell', 'sheet')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Opens the menu of a parcours, by keyboard; the user may publish it. */
async function opened(capabilities: Capability[] = ['content.write', 'content.publish']) {
  const { cache } = await renderPage(inSheet(aParcours(), HeaderMenu))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities }))
  const button = screen.getByRole('button', { name: 'Autres actions' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('menu')
  return button
}

it('is used by keyboard on a desktop: its first item takes the focus, and Escape gives it back to the button', async () => {
  const button = await opened()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Dupliquer…' })))
  expect(screen.queryByRole('menuitem', { name: 'Publier' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(button))
})

function onPhone() {
  const wide = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(wide(query), { matches: query.includes('max-width: 759.98px') }))
}

it('gives a reader the reason of what is refused, where the keyboard reaches it', async () => {
  onPhone()
  await opened(['content.read'])
  const items = ['Publier', 'Dupliquer…'].map((name) => screen.getByRole('menuitem', { name }))
  const reason = 'Vous n’y êtes pas autorisé.'
  expect(items.map((item) => [item.getAttribute('aria-disabled'), item.title])).toEqual([
    ['true', reason],
    ['true', reason],
  ])
  await waitFor(() => expect(document.activeElement).toBe(items[0]))
})

it('begins with the publication on a phone', async () => {
  onPhone()
  await opened()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Publier' })))
})
