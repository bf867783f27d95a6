import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { aServer } from '../../../test/server'
import { ProblemError } from '@/api/problem'
import type { Poi } from '@/api/types'
import { ensureTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { FormStore } from '@/records/form/store'
import { Duplicates } from './Duplicates'

const poi = (id: number, city: string, editable = true) =>
  ({ id, version: id + 1, title: { fr: 'Source' }, address: { city }, editable }) as unknown as Poi
const open = poi(43, 'Alleyras')
const called = aServer()
let found: Poi[] = []
let store = new FormStore<Values>({ phone: '' })

const Page = () => (
  <FormProvider value={store}>
    <Duplicates record={open} />
  </FormProvider>
)
const plain = (words: string | null | undefined) => (words ?? '').replaceAll(/\s/g, ' ')
const sent = () => called.mock.calls.filter(([method]) => method === 'POST')
const dialog = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Fusionner…' }))
  return screen.findByRole('dialog')
}

beforeEach(async () => {
  await ensureTexts('pois', 'resource')
  store = new FormStore<Values>({ phone: '' })
  found = [poi(42, 'Saint-Haon')]
  called.mockReset().mockImplementation((_, path) => {
    if (path.endsWith('/duplicates')) return Promise.resolve({ items: found.map((one) => ({ poi: one, distance_m: 8 })) })
    if (path.endsWith('/uses')) return Promise.resolve({ items: [], total: path.includes('/42/') ? 3 : 0, hidden_total: 0 })
    return Promise.resolve({})
  })
})

it('a merge waits for what is typed to be saved', async () => {
  await renderPage(Page)
  const button = await screen.findByRole('button', { name: 'Fusionner…' })
  act(() => store.set('phone', '04'))
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(plain(button.title)).toBe('Enregistrez d’abord : la fusion ne reprend que ce qui est enregistré.')
  await userEvent.click(button)
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => store.set('phone', ''))
  expect(button.getAttribute('aria-disabled')).toBeNull()
})

it('both points are told apart in the dialog, and either can be kept', async () => {
  await renderPage(Page)
  const shown = await dialog()
  const keep = within(shown).getByRole('combobox', { name: /^Garder/ })
  await waitFor(() =>
    expect(
      within(keep)
        .getAllByRole('option')
        .map(({ textContent }) => plain(textContent)),
    ).toEqual(['Choisir', 'Source (n° 42, Saint-Haon, utilisé à 3 endroits)', 'Source (n° 43, Alleyras, utilisé nulle part)']),
  )
  expect(plain(shown.textContent)).toContain('« Source (n° 43) » va dans la corbeille')
  await userEvent.selectOptions(keep, '43')
  expect(plain(shown.textContent)).toContain('« Source (n° 42) » va dans la corbeille')
  await userEvent.click(within(shown).getByRole('button', { name: 'Fusionner' }))
  await waitFor(() => expect(sent()).toEqual([['POST', '/api/v1/pois/42/merge', { version: 43, body: { into_id: 43 } }]]))
})

it('what tells the chosen points apart is below the lists, which cut their lines on a phone', async () => {
  found = [poi(42, 'Saint-Haon'), poi(44, 'Landos')]
  await renderPage(Page)
  const shown = await dialog()
  const keep = within(shown).getByRole('combobox', { name: /^Garder/ })
  await waitFor(() => expect(plain(keep.closest('div')?.textContent)).toMatch(/n° 42, Saint-Haon, utilisé à 3 endroits$/))
  await userEvent.selectOptions(keep, '43')
  expect(plain(document.getElementById(keep.getAttribute('aria-describedby') ?? '')?.textContent)).toBe(
    'n° 43, Alleyras, utilisé nulle part',
  )
  const goes = within(shown).getByRole('combobox', { name: /^Fiche à mettre à la corbeille/ })
  await userEvent.selectOptions(goes, '44')
  expect(plain(document.getElementById(goes.getAttribute('aria-describedby') ?? '')?.textContent)).toBe('n° 44, Landos, utilisé nulle part')
})

it('the open point is merged into the one that is kept', async () => {
  await renderPage(Page)
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Fusionner' }))
  await waitFor(() => expect(sent()).toEqual([['POST', '/api/v1/pois/43/merge', { version: 44, body: { into_id: 42 } }]]))
})

it('nothing asks for the merged point any more, which is in the bin', async () => {
  const countOf = (path: string) => called.mock.calls.filter(([, other]) => other.startsWith(path)).length
  const { cache } = await renderPage(Page)
  const merge = within(await dialog()).getByRole('button', { name: 'Fusionner' })
  await waitFor(() => expect(cache.isFetching()).toBe(0))
  const before = countOf('/api/v1/pois/43/duplicates')
  await userEvent.click(merge)
  await waitFor(() => expect(sent()).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(cache.isFetching() + cache.isMutating()).toBe(0))
  expect(countOf('/api/v1/pois/43/duplicates')).toBe(before)
})

it('of several others, the one that goes is chosen; none that may not be changed', async () => {
  found = [poi(42, 'Saint-Haon'), poi(44, 'Landos'), poi(45, 'Pradelles', false)]
  await renderPage(Page)
  const shown = await dialog()
  await userEvent.selectOptions(within(shown).getByRole('combobox', { name: /^Garder/ }), '43')
  const keep = within(shown).getByRole('combobox', { name: /^Garder/ })
  expect(
    within(keep)
      .getAllByRole<HTMLOptionElement>('option')
      .map(({ value }) => value),
  ).toEqual(['', '42', '44', '43'])
  const goes = within(shown).getByRole('combobox', { name: /^Fiche à mettre à la corbeille/ })
  expect(
    within(goes)
      .getAllByRole<HTMLOptionElement>('option')
      .map(({ value }) => value),
  ).toEqual(['42', '44'])
  await userEvent.selectOptions(goes, '44')
  await userEvent.click(within(shown).getByRole('button', { name: 'Fusionner' }))
  await waitFor(() => expect(sent()).toEqual([['POST', '/api/v1/pois/44/merge', { version: 45, body: { into_id: 43 } }]]))
})

it('the first point that may be changed is kept at first', async () => {
  found = [poi(45, 'Pradelles', false), poi(42, 'Saint-Haon')]
  await renderPage(Page)
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Fusionner' }))
  await waitFor(() => expect(sent()).toEqual([['POST', '/api/v1/pois/43/merge', { version: 44, body: { into_id: 42 } }]]))
})

it('no merge is offered with points that may not be changed', async () => {
  found = [poi(45, 'Pradelles', false)]
  await renderPage(Page)
  await screen.findByText(/Source/)
  expect(screen.queryByRole('button', { name: 'Fusionner…' })).toBeNull()
})

it.each([
  ['the open point', '42', { version: 45, body: { into_id: 42 } }],
  ['another one', '43', { version: 50, body: { into_id: 43 } }],
])('a merge that is refused because %s was saved meanwhile goes through the second time', async (_, kept, last) => {
  let served = open
  const answer = called.getMockImplementation()
  called.mockImplementation((...call) => {
    if (call[0] !== 'POST' || sent().length > 1) return answer?.(...call) ?? Promise.resolve({})
    served = { ...open, version: 45 }
    found = [{ ...poi(42, 'Landos'), version: 50 }]
    return Promise.reject(new ProblemError(412, { code: 'version/stale' }))
  })
  const Fetched = () => {
    const { data } = useQuery({ queryKey: ['poi', 43], queryFn: () => Promise.resolve(served) })
    return <FormProvider value={store}>{data !== undefined && <Duplicates record={data} />}</FormProvider>
  }
  await renderPage(Fetched)
  const shown = await dialog()
  await userEvent.selectOptions(within(shown).getByRole('combobox', { name: /^Garder/ }), kept)
  await userEvent.click(within(shown).getByRole('button', { name: 'Fusionner' }))
  await within(shown).findByRole('alert')
  // Both are asked for again, and the message stays.
  await waitFor(() => expect(called.mock.calls.filter(([, path]) => path.endsWith('/duplicates'))).toHaveLength(3))
  await waitFor(() => expect(shown.textContent).toContain('Landos'))
  expect(within(shown).getByRole('alert')).toBeTruthy()
  await userEvent.click(within(shown).getByRole('button', { name: 'Fusionner' }))
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()[1]?.[2]).toEqual(last)
})
