import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { meKey } from '@/api/signed-in-user'
import type { Capability } from '@/api/types'
import { ensureTexts } from '@/i18n'
import { me, renderPage } from '../../../../test/form-host'
import { stubLayout } from '../../../../test/layout'
import { tags } from './vocabularies'

const tag = (id: number, fr: string) => ({
  id,
  version: 1,
  code: `tag-${id}`,
  label: { fr },
  description: {},
  parent_id: null,
  icon: null,
  color: null,
  order: id,
  attributes: {},
})

const show = (items: object[]) => vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items })))

beforeEach(async () => {
  stubLayout()
  await ensureTexts('common', 'errors', 'shell', 'resource', 'settings')
  show([tag(1, 'Famille'), tag(2, 'Nature')])
})

afterEach(() => void vi.restoreAllMocks())

/** The entries of the menu of the first tag, each with whether it is refused and why. */
async function entries(capability: Capability, search = '') {
  const { Page } = await tags.list()
  const { cache } = await renderPage(() => (
    <Suspense>
      <Page />
    </Suspense>
  ))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: [capability] }))
  const button = await screen.findByRole('button', { name: 'Actions sur Famille' })
  if (search !== '') await userEvent.type(screen.getByRole('searchbox'), search)
  await userEvent.click(button)
  const items = await screen.findAllByRole<HTMLButtonElement>('menuitem')
  return items.map((item) => [item.textContent, item.getAttribute('aria-disabled') ?? String(item.disabled), item.title])
}

it('gives a reader the reason of what is refused', async () => {
  const reason = 'Votre rôle ne permet pas de modifier ici.'
  expect(await entries('content.read')).toEqual([
    ['Ouvrir', 'false', ''],
    ['Monter', 'true', reason],
    ['Descendre', 'true', reason],
    ['Fusionner…', 'true', reason],
    ['Supprimer…', 'true', reason],
  ])
})

it('changes the order of a whole list only; a tag that was searched for can be merged and deleted', async () => {
  expect(await entries('reference.manage', 'Fam')).toEqual([
    ['Ouvrir', 'false', ''],
    ['Monter', 'true', ''],
    ['Descendre', 'true', ''],
    ['Fusionner…', 'false', ''],
    ['Supprimer…', 'false', ''],
  ])
})

it('shows tags that are under each other, and what to do', async () => {
  show([tag(1, 'Famille'), { ...tag(2, 'Nature'), parent_id: 3 }, { ...tag(3, 'Forêt'), parent_id: 2 }])
  const { Page } = await tags.list()
  await renderPage(() => (
    <Suspense>
      <Page />
    </Suspense>
  ))
  expect(await screen.findByText(/placés en boucle/)).toBeTruthy()
  for (const name of ['Famille', 'Nature', 'Forêt']) expect(screen.getAllByRole('link', { name })).toHaveLength(1)
})
