import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { renderPage } from '../../../../../test/form-host'
import { aParcours } from '../../../../../test/parcours'
import { inSheet } from '../../../../../test/sheet'
import { HistoryDrawer } from './HistoryDrawer'

const past = vi.hoisted(() => (version: number) => ({
  at: '2026-11-20T14:41:00Z',
  parcours: { title: { fr: version === 1 ? 'Ancien' : 'Nouveau' }, copyright: version === 1 ? 'OT' : null },
}))
const saves = vi.hoisted(() => [3, 1].map((version) => ({ version, at: '2026-11-20T14:41:00Z', user: null, reason: null, fields: [] })))
const restored = vi.hoisted(() => vi.fn<(id: number, version: number, from: number, fields: string[] | undefined) => Promise<unknown>>())
vi.mock('../queries', async (original) => ({
  ...(await original<object>()),
  revisionQuery: (id: number, version: number) => ({ queryKey: ['past', id, version], queryFn: () => Promise.resolve(past(version)) }),
  revisionsQuery: (id: number, version: number) => ({ queryKey: ['saves', id, version], queryFn: () => Promise.resolve(saves) }),
  restore: restored,
}))

const parcours = aParcours({ title: { fr: 'Nouveau' } })

const nothing = () => undefined
const Page = inSheet(parcours, () => (
  <>
    <HistoryDrawer onClose={nothing} />
    <Toaster />
  </>
))

beforeEach(async () => {
  restored.mockReset().mockResolvedValue(parcours)
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'history')
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items: [] })))
})

it('names the field that is restored, and puts the focus on the title of the drawer', async () => {
  await renderPage(Page)
  await userEvent.click((await screen.findAllByRole('checkbox')).at(-1) ?? document.body)
  const [first] = await screen.findAllByRole('button', { name: 'Restaurer ce champ' })
  if (first === undefined) throw new Error('nothing to restore')
  await userEvent.click(first)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Restaurer ce champ' })).toBeNull())
  expect(restored).toHaveBeenCalledWith(parcours.id, parcours.version, 1, ['title'])
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Historique' }))
  expect((await screen.findByText(/^Champ restauré/)).textContent?.replace(/\s/g, ' ')).toContain('Champ restauré : Titre.')
})
