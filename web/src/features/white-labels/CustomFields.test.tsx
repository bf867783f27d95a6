import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { CustomField, CustomFieldUse, WhiteLabel } from '@/api/types'
import { ensureTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { FormStore } from '@/records/form/store'
import { renderPage } from '../../../test/form-host'
import { CustomFields } from './CustomFields'

const ground: CustomField = {
  key: 'sol',
  type: 'choice',
  label: { fr: 'Sol' },
  on: 'parcours',
  options: ['Sable', 'Gravier'],
  required: false,
}

beforeEach(() => ensureTexts('common', 'errors', 'shell', 'resource', 'whiteLabels'))

async function show(fields: CustomField[], items: CustomFieldUse[]) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items })))
  const store = new FormStore<Values>({ custom_fields: fields })
  const record = { id: 3, custom_fields: fields } as WhiteLabel
  await renderPage(() => (
    <FormProvider value={store}>
      <CustomFields record={record} />
    </FormProvider>
  ))
  return store
}
const used = (records: number): CustomFieldUse[] => [{ key: 'sol', on: 'parcours', defined: true, records }]
const dialog = async () => within(await screen.findByRole('dialog'))

it('has one choice on each line, which may hold commas', async () => {
  const store = await show([{ ...ground, options: ['Sable, fin'] }], [])
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Choix possibles')
  expect(field.value).toBe('Sable, fin')
  await userEvent.type(field, '{Enter}Moins de 1,5 m{Enter}Plus de 1,5 m')
  await userEvent.tab()
  expect(store.get('custom_fields.0.options')).toEqual(['Sable, fin', 'Moins de 1,5 m', 'Plus de 1,5 m'])
})

it('says how many records fill a field in, and asks before it is removed', async () => {
  const store = await show([ground], used(2))
  expect(await screen.findByText('2 fiches le remplissent.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Retirer le champ Sol' }))
  expect((await dialog()).getByText(/ne seront plus montrées/)).toBeDefined()
  await userEvent.click((await dialog()).getByRole('button', { name: 'Annuler' }))
  expect(store.get('custom_fields')).toEqual([ground])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Retirer le champ Sol' }))
  await userEvent.click((await dialog()).getByRole('button', { name: 'Retirer le champ' }))
  expect(store.get('custom_fields')).toEqual([])
  // It is offered back at once, as it was.
  await userEvent.click(await screen.findByRole('button', { name: 'Remettre le champ sol' }))
  expect(store.get('custom_fields')).toEqual([ground])
})

it('asks before the key, the type, the content or a choice of a used field changes, once each', async () => {
  const store = await show([ground], used(1))
  await screen.findByText('1 fiche le remplit.')
  const confirm = async (name: string) => {
    await userEvent.click((await dialog()).getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await userEvent.type(screen.getByLabelText('Choix possibles'), '{Backspace}')
  expect((await dialog()).getByText(/Gravier/)).toBeDefined()
  await confirm('Annuler')
  expect(store.get('custom_fields.0.options')).toEqual(['Sable', 'Gravier'])
  // A new choice hides nothing.
  await userEvent.type(screen.getByLabelText('Choix possibles'), '{Enter}Terre')
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Nombre')
  await confirm('Changer le type')
  expect(store.get('custom_fields.0.type')).toBe('number')
  await userEvent.selectOptions(screen.getByLabelText('Sur'), 'les points d’intérêt')
  await confirm('Annuler')
  expect(store.get('custom_fields.0.on')).toBe('parcours')
  await userEvent.type(screen.getByLabelText('Clé'), 's')
  await confirm('Changer la clé')
  await userEvent.type(screen.getByLabelText('Clé'), '_2')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(store.get('custom_fields.0.key')).toBe('sols_2')
})

it('asks nothing where a field gets its saved type back', async () => {
  const store = await show([ground], used(1))
  await screen.findByText('1 fiche le remplit.')
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Nombre')
  await userEvent.click((await dialog()).getByRole('button', { name: 'Changer le type' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(store.get('custom_fields.0.type')).toBe('number')
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'choice')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(store.get('custom_fields')).toEqual([ground])
})

it('asks nothing where no record fills the field in', async () => {
  const store = await show([ground], used(0))
  await screen.findByLabelText('Clé')
  await waitFor(() => expect(screen.queryByText(/remplit|remplissent/)).toBeNull())
  await new Promise((wake) => setTimeout(wake, 20))
  await userEvent.click(screen.getByRole('button', { name: 'Retirer le champ Sol' }))
  expect(store.get('custom_fields')).toEqual([])
})

it('lists the values of removed fields, and puts such a field back with its key', async () => {
  const store = await show([], [{ key: 'champ_1', on: 'poi', defined: false, records: 4 }])
  expect(await screen.findByText(/4 fiches le remplissent/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Ajouter un champ' }))
  expect(store.get('custom_fields.0.key')).not.toBe('champ_1')
  await userEvent.click(screen.getByRole('button', { name: 'Remettre le champ champ_1' }))
  expect(store.get('custom_fields.1')).toMatchObject({ key: 'champ_1', on: 'poi', label: {} })
  // It is a field of the form now: its values are not listed as hidden.
  expect(screen.queryByRole('button', { name: 'Remettre le champ champ_1' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Valeurs qui ne sont plus montrées' })).toBeNull()
})

it('puts the focus on the label of a field that is added, and on its button when the last one goes', async () => {
  // jsdom shows nothing: here everything is shown.
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body)
  await show([ground], used(2))
  await screen.findByText('2 fiches le remplissent.')
  const add = screen.getByRole('button', { name: 'Ajouter un champ' })
  await userEvent.click(add)
  await waitFor(() => expect(document.activeElement?.closest('[data-field]')?.getAttribute('data-field')).toBe('custom_fields.1.label.fr'))
  await userEvent.click(screen.getByRole('button', { name: 'Retirer le champ champ_2' }))
  await waitFor(() => expect(document.activeElement).toBe(add))
  // Also where it is asked for first.
  await userEvent.click(screen.getByRole('button', { name: 'Retirer le champ Sol' }))
  await userEvent.click((await dialog()).getByRole('button', { name: 'Retirer le champ' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ajouter un champ' })))
  vi.restoreAllMocks()
})
