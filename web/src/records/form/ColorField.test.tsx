import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { ColorField, type ColorUse } from './ColorField'
import { FormProvider } from './form-context'
import type { Values } from './paths'
import { ReadOnlyContext } from './read-only'
import { FormStore } from './store'

async function show(color: string, use: ColorUse) {
  const store = new FormStore<Values>({ color })
  await renderPage(() => (
    <FormProvider value={store}>
      <ColorField name="color" label="Couleur" use={use} />
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
