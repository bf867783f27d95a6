import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { FormStore } from '@/records/form/store'
import { renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import { StretchesField } from './StretchesField'

vi.stubGlobal('CSS', { escape: (text: string) => text })

beforeEach(async () => {
  stubLayout()
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('campaigns')
})

it('keeps the focus in the field that adds a parcours, which is empty again', async () => {
  aServer().mockImplementation((_, path) =>
    Promise.resolve(path === '/api/v1/parcours' ? { items: [{ id: 4, title: { fr: 'Lac' } }], total: 1 } : { items: [], total: 0 }),
  )
  const store = new FormStore<Values>({ stretches: [], user_ids: [] })
  await renderPage(() => (
    <FormProvider value={store}>
      <StretchesField record={null} f={(name) => ({ name, label: name })} />
    </FormProvider>
  ))
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Ajouter un parcours' })
  const first = field()
  await userEvent.click(first)
  await screen.findByRole('option', { name: 'Lac' })
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(store.values['stretches']).toEqual([{ parcours_id: 4, from_m: null, to_m: null, user_id: null }]))
  await waitFor(() => expect(field()).not.toBe(first))
  expect(document.activeElement).toBe(field())
  expect(field().value).toBe('')
})

it('keeps a kilometre that is no number under its own path, where a refused save finds it, until a row is removed', async () => {
  aServer().mockImplementation(() => Promise.resolve({ items: [], total: 0 }))
  const whole = (parcours_id: number) => ({ parcours_id, from_m: null, to_m: null, user_id: null })
  const store = new FormStore<Values>({ stretches: [whole(4), whole(5)], user_ids: [] })
  await renderPage(() => (
    <FormProvider value={store}>
      <StretchesField record={null} f={(name) => ({ name, label: name })} />
    </FormProvider>
  ))
  const field = screen.getAllByLabelText<HTMLInputElement>(/^Du km/).at(1)
  if (field === undefined) throw new Error('two rows')
  await userEvent.type(field, 'abc')
  expect(screen.getByText('« abc » n’est pas un nombre.')).toBeTruthy()
  expect(store.unreadPaths()).toEqual(['stretches.1.from_m'])
  expect(field.closest('[data-field]')?.getAttribute('data-field')).toBe('stretches.1.from_m')
  const [first] = screen.getAllByRole('button', { name: /^Retirer/ })
  if (first === undefined) throw new Error('no button')
  await userEvent.click(first)
  expect(store.unreadPaths()).toEqual([])
  expect(store.values['stretches']).toEqual([whole(5)])
})
