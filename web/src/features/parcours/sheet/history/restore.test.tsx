import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useMemo } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Parcours } from '@/api/types'
import { ensureTexts } from '@/i18n'
import { useResourceForm } from '@/records/form/useResourceForm'
import { Toaster } from '@/ui/feedback/toast'
import { renderPage } from '../../../../../test/form-host'
import { aParcours } from '../../../../../test/parcours'
import { SheetProvider, type Sheet } from '../context'
import { toValues, type SheetValues } from '../values'
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

const nothing = () => undefined
const parcours = aParcours({ title: { fr: 'Nouveau' } })

function Page() {
  const form = useResourceForm<Parcours, SheetValues>({
    kind: 'parcours',
    record: parcours,
    toValues: (record) => toValues(record ?? parcours),
    save: nothing as never,
  })
  const sheet = useMemo<Sheet>(
    () => ({ parcours, form, trace: null, advanced: true, setAdvanced: nothing, goTo: nothing, openTab: nothing, take: nothing }),
    [form],
  )
  return (
    <SheetProvider value={sheet}>
      <HistoryDrawer onClose={nothing} />
      <Toaster />
    </SheetProvider>
  )
}

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
