import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import { Toaster } from '@/ui/feedback/toast'
import BulkActions, { type BulkAction, type BulkMenu } from './BulkActions'
import { ResourceList, type ListResult } from './ResourceList'
import { useListState } from './useListState'

const actions: readonly (BulkAction | BulkMenu)[] = [
  { action: 'publish', label: 'Publier' },
  { action: 'unpublish', label: 'Dépublier' },
  { label: 'Diffusion', choices: [{ action: 'distribute_own', label: 'Diffuser sur nos applications' }] },
  { action: 'use_source', label: 'Utiliser le tracé source' },
]
const config = { filterKeys: [], defaultSort: 'title' }

function Page() {
  const list = useListState(config)
  return (
    <>
      <BulkActions base="/api/v1/contacts" queryKey={['contact']} actions={actions} list={list} />
      <Toaster />
    </>
  )
}

let server: ReturnType<typeof aServer>
beforeEach(() => {
  stubLayout()
  server = aServer()
  server.mockImplementation((method, path) =>
    Promise.resolve(path === '/api/v1/session' ? me : method === 'POST' ? { applied: 1, unchanged: 0, refused: 0, items: [] } : {}),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const narrow = () => {
  const wide = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(wide(query), { matches: query.includes('max-width: 759.98px') }))
}
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

it('has all its entries side by side where there is room', async () => {
  await renderPage(Page)
  expect(buttons()).toEqual(['Publier', 'Dépublier', 'Diffusion', 'Utiliser le tracé source'])
})

it('has two of them on a phone, and the others in one menu, which do the same', async () => {
  narrow()
  await renderPage(Page)
  expect(buttons().map((words) => words?.replace('’', "'"))).toEqual(['Publier', 'Dépublier', "Plus d'actions"])
  await userEvent.click(screen.getByRole('button', { name: /^Plus d/ }))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Utiliser le tracé source',
    'Diffuser sur nos applications',
  ])
  expect(screen.getByText('Diffusion')).toBeTruthy()
  await userEvent.click(screen.getByRole('menuitem', { name: 'Diffuser sur nos applications' }))
  await waitFor(() =>
    expect(server.mock.calls.find(([method]) => method === 'POST')?.[2]?.body).toMatchObject({ action: 'distribute_own', dry_run: true }),
  )
})

it('says how many items an undone action could not bring back', async () => {
  server.mockImplementation((method, path, options) => {
    if (path === '/api/v1/session') return Promise.resolve(me)
    if (path.endsWith('/bulk/undo')) return Promise.resolve({ applied: 0, unchanged: 0, refused: 2, items: [] })
    const isDry = JSON.stringify(options?.body).includes('"dry_run":true')
    return Promise.resolve(
      method === 'POST' ? { applied: 2, unchanged: 0, refused: 0, items: [], ...(isDry ? {} : { undo_token: 'u' }) } : {},
    )
  })
  await renderPage(Page)
  await userEvent.click(screen.getByRole('button', { name: 'Publier' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Appliquer à 2 éléments' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Annuler' }))
  expect(await screen.findByText('2 éléments, modifiés depuis, restent tels quels.')).toBeTruthy()
  expect(screen.queryByText(/annulée/)).toBeNull()
})

/** An item of a report; its title is « Parcours 1 » for the number 1. */
const item = (id: number, outcome: string, more: object = {}) => ({ id, title: { fr: `Parcours ${id}` }, outcome, ...more })
const inUse = (total: number) => ({ code: 'poi/in-use', params: { total } })
const counted = (items: { outcome: string }[]) => ({
  applied: items.filter(({ outcome }) => outcome === 'applied').length,
  unchanged: items.filter(({ outcome }) => outcome === 'unchanged').length,
  refused: items.filter(({ outcome }) => outcome === 'refused').length,
  items,
})
/** The server answers the preview with these items, and the action itself with those. */
const answering = (preview: { outcome: string }[], done: { outcome: string }[] = preview) =>
  server.mockImplementation((method, path, options) => {
    if (path === '/api/v1/session') return Promise.resolve(me)
    const isDry = JSON.stringify(options?.body).includes('"dry_run":true')
    return Promise.resolve(method === 'POST' ? counted(isDry ? preview : done) : {})
  })
const sent = () => server.mock.calls.filter(([method]) => method === 'POST').map(([, , options]) => options?.body)

const rows = [1, 2, 3].map((id) => ({ id }))
const result: ListResult<{ id: number }> = { data: { items: rows, total: 5 }, error: null, isFetching: false, refetch: vi.fn() }

/** The actions in the bar of a list of three rows, of five that match. */
function ListPage() {
  const list = useListState(config)
  return (
    <main>
      <h1>Parcours</h1>
      <ResourceList
        label="Parcours"
        list={list}
        result={result}
        columns={[{ key: 'id', header: 'N°', render: ({ id }) => id }]}
        rowId={({ id }) => id}
        rowName={({ id }) => `Parcours ${id}`}
        selectable
        bulk={<BulkActions base="/api/v1/contacts" queryKey={['contact']} actions={actions} list={list} />}
        empty={null}
      />
      <Toaster />
    </main>
  )
}

it('does to all that match what the preview showed, to no others', async () => {
  answering([item(4, 'applied'), item(7, 'refused', inUse(2)), item(9, 'applied'), item(11, 'unchanged')])
  await renderPage(ListPage)
  await userEvent.click(screen.getByLabelText('Sélectionner toute la page'))
  await userEvent.click(screen.getByRole('button', { name: /^Tout sélectionner/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Publier' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Appliquer à 2 éléments' }))
  await waitFor(() => expect(sent().length).toBe(2))
  expect(sent()).toEqual([
    { filter: {}, action: 'publish', dry_run: true },
    { ids: [4, 9], action: 'publish', dry_run: false },
  ])
})

it('names in the preview what is refused, with the numbers of the reason, and says how many more there are', async () => {
  const refused = Array.from({ length: 14 }, (_, at) => item(at + 1, 'refused', inUse(at + 2)))
  answering([...refused, item(20, 'applied')])
  await renderPage(Page)
  await userEvent.click(screen.getByRole('button', { name: 'Publier' }))
  const listed = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(listed.length).toBe(13)
  expect(listed[0]).toContain('Parcours 1')
  expect(listed[0]).toContain('Ce point d’intérêt est utilisé ailleurs (2)')
  expect(listed[12]).toBe('et 2 autres')
})

it('says how many were changed, refused or gone, and why the first was refused', async () => {
  answering([item(1, 'applied'), item(2, 'applied'), item(3, 'applied')], [item(1, 'applied'), item(2, 'refused', inUse(1))])
  await renderPage(Page)
  await userEvent.click(screen.getByRole('button', { name: 'Publier' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Appliquer à 3 éléments' }))
  const said = await screen.findByText(/^Action appliquée ! 1 élément publié/)
  expect(said.textContent).toContain('1 élément publié, 1 refusé et 1 n’existe plus. Parcours 2')
  expect(said.textContent).toContain('utilisé ailleurs (1)')
})

it('says that nothing changed when all were refused', async () => {
  answering([item(1, 'applied')], [item(1, 'refused', inUse(3))])
  await renderPage(Page)
  await userEvent.click(screen.getByRole('button', { name: 'Publier' }))
  const successes = () => screen.queryAllByText(/Action appliquée/).length
  const before = successes()
  await userEvent.click(await screen.findByRole('button', { name: 'Appliquer à 1 élément' }))
  expect((await screen.findByText(/^Rien n’a changé/)).textContent).toMatch(/1 refusé\. Parcours 1/)
  expect(successes()).toBe(before)
})

it('ticks every row when all that match are selected, and leaves the others of the page when one is unticked', async () => {
  answering([item(1, 'applied')])
  await renderPage(ListPage)
  const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox')
  const ticked = () => boxes().filter((box) => box.checked).length
  await userEvent.click(screen.getByLabelText('Sélectionner Parcours 1'))
  expect(ticked()).toBeLessThan(boxes().length)
  await userEvent.click(screen.getByRole('button', { name: /^Tout sélectionner/ }))
  expect(ticked()).toBe(boxes().length)
  await userEvent.click(screen.getByLabelText('Sélectionner Parcours 1'))
  expect(ticked()).toBe(boxes().length - 2)
})

it('gives the focus to the next button of the bar when all are selected, and to the list when the action is done', async () => {
  answering([item(1, 'applied')])
  await renderPage(ListPage)
  await userEvent.click(screen.getByLabelText('Sélectionner toute la page'))
  await userEvent.click(screen.getByRole('button', { name: /^Tout sélectionner/ }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Publier' }))
  await userEvent.keyboard('{Enter}')
  ;(await screen.findByRole('button', { name: 'Appliquer à 1 élément' })).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByLabelText('Actions sur la sélection')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Sélectionner toute la page')))
})
