import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import { Toaster } from '@/ui/feedback/toast'
import BulkActions, { type BulkAction, type BulkMenu } from './BulkActions'
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
