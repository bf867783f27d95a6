import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { WhiteLabel } from '@/api/types'
import { ensureTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { FormStore } from '@/records/form/store'
import { renderPage } from '../../../test/form-host'
import { nobody } from '../../../test/impact'
import { DomainField } from './DomainField'
import { Published } from './Published'

beforeEach(async () => {
  await ensureTexts('common', 'errors', 'shell', 'resource', 'whiteLabels')
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify(nobody), { status: 200, headers: { 'content-type': 'application/json' } })),
  )
})

it('says what goes dark before a published site is switched off, and asks', async () => {
  const store = new FormStore<Values>({ published: true })
  const record = { id: 3, name: 'Val d’Orsel', published: true } as WhiteLabel
  await renderPage(() => (
    <FormProvider value={store}>
      <Published record={record} f={(name) => ({ name, label: 'Publié' })} />
    </FormProvider>
  ))
  const box = await screen.findByRole('checkbox')
  await userEvent.click(box)
  expect(await screen.findByText(/les pages publiques de ses parcours/)).toBeDefined()
  expect(store.values['published']).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Annuler' }))
  expect(store.values['published']).toBe(true)
  await userEvent.click(box)
  await userEvent.click(await screen.findByRole('button', { name: 'Dépublier' }))
  await waitFor(() => expect(store.values['published']).toBe(false))
})

it('says what the domain of a published site no longer answers before it changes, and asks once', async () => {
  const domain = 'https://orsel.carte.example'
  const show = async (published: boolean) => {
    const store = new FormStore<Values>({ domain })
    const record = { id: 3, name: 'Val d’Orsel', published, domain } as WhiteLabel
    const { unmount } = await renderPage(() => (
      <FormProvider value={store}>
        <DomainField record={record} f={(name) => ({ name, label: 'Domaine' })} />
      </FormProvider>
    ))
    return { store, unmount }
  }
  const { store, unmount } = await show(true)
  const type = async (words: string) => userEvent.type(await screen.findByLabelText('Domaine'), words)
  await type('s')
  expect(await screen.findByText(/orsel\.carte\.example ne montrera plus son site/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Annuler' }))
  expect(store.values['domain']).toBe(domain)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await type('s')
  await userEvent.click(await screen.findByRole('button', { name: 'Changer le domaine' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await type('/')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(store.values['domain']).toBe(`${domain}s/`)
  unmount()
  const draft = await show(false)
  await type('s')
  expect(draft.store.values['domain']).toBe(`${domain}s`)
})
