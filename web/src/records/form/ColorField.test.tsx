import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { ColorField, type ColorUse } from './ColorField'
import { FormProvider } from './form-context'
import type { Values } from './paths'
import { ReadOnlyContext } from './read-only'
import { FormStore } from './store'

async function show(color: string, use: ColorUse, primary: string | null = null) {
  const store = new FormStore<Values>({ color })
  await renderPage(() => (
    <FormProvider value={store}>
      <ColorField name="color" label="Couleur" use={use} primary={primary} />
    </FormProvider>
  ))
  return store
}

it('measures a fill against the text that the page writes on it: white, or black on a light colour', async () => {
  const store = await show('#F6C445', 'fill')
  expect(screen.getByText('12,9 : 1 sous un texte noir')).toBeTruthy()
  expect(screen.queryByRole('status')).toBeNull()
  await userEvent.clear(screen.getByLabelText('Couleur'))
  await userEvent.type(screen.getByLabelText('Couleur'), '#14507A')
  expect(store.values['color']).toBe('#14507A')
  expect(screen.getByText(/ : 1 sous un texte blanc/)).toBeTruthy()
})

it('measures the line against the map, and offers a tone that is seen there', async () => {
  const store = await show('#F6C445', 'line')
  expect(screen.getByRole('status').textContent).toMatch(/il faut 3/)
  await userEvent.click(screen.getByRole('button', { name: /^Prendre #/ }))
  expect(store.values['color']).not.toBe('#F6C445')
  expect(screen.getByText(/^3,0 : 1 sur le fond de carte$/)).toBeTruthy()
})

it('measures the ground under text and links, as the page uses it, and offers a lighter tone', async () => {
  const store = await show('#1B2A41', 'ground')
  expect(screen.getByRole('status').textContent).toMatch(/il faut 4,5\s: 1, sinon la page garde son fond/)
  await userEvent.click(screen.getByRole('button', { name: /^Prendre #/ }))
  expect(store.values['color']).not.toBe('#1B2A41')
  expect(screen.getByText(/^4,5 : 1 sous le texte et les liens$/)).toBeTruthy()
})

it.each([
  ['#14507A', '#F6C445', true],
  // Its links could not be read on it.
  ['#7A6A00', '#E8E8A0', false],
  // A primary colour that is too light for links: they have the colour of text.
  ['#F6C445', '#E8E8A0', true],
  [null, '#808080', false],
])('measures the ground against links in the primary colour %s: %s', async (primary, color, used) => {
  await show(color, 'ground', primary)
  expect(screen.queryByRole('status') === null).toBe(used)
})

it('reads what design programs write, and says how a colour is written once a wrong one is left', async () => {
  const store = await show('', 'fill')
  const field = screen.getByLabelText('Couleur')
  await userEvent.type(field, 'rgb(20, 80, 122)')
  expect(store.values['color']).toBe('#14507A')
  await userEvent.clear(field)
  await userEvent.type(field, 'bleu')
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.tab()
  expect(screen.getByRole('alert').textContent).toMatch(/#RRGGBB|#RRVVBB/)
})

it('is one word that does not wrap where it may only be read, and a dash where there is none', async () => {
  const store = new FormStore<Values>({ color: '#14507A', none: null })
  await renderPage(() => (
    <FormProvider value={store}>
      <ReadOnlyContext value>
        <ColorField name="color" label="Couleur" />
        <ColorField name="none" label="Autre" />
      </ReadOnlyContext>
    </FormProvider>
  ))
  expect(screen.getByText('#14507A').className).toBe('nowrap')
  expect(screen.getByText('–')).toBeDefined()
})
