import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { payload, setPayload } from '@/api/payload'
import { renderPage } from '../../../test/form-host'
import { FormProvider } from './form-context'
import type { Values } from './paths'
import { PointField } from './PointField'
import { FormStore } from './store'

// A map needs WebGL, and has the label of the field as well.
vi.mock('./PointMap', () => ({ default: () => null }))

it('tells a place whose two numbers are swapped at the field, and does not take it', async () => {
  const store = new FormStore<Values>({ location: null })
  await renderPage(() => (
    <FormProvider value={store}>
      <PointField name="location" label="Emplacement" />
    </FormProvider>
  ))
  setPayload({ ...payload(), map: { ...payload().map, bbox: [4, 44, 6, 46] } })
  const field = screen.getByLabelText(/^Emplacement/)
  await userEvent.type(field, '5,3 ; 44,9')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText(/avec les deux nombres inversés, il y serait/)).not.toBeNull()
  // A form with such a text is not saved.
  expect(store.unreadPaths()).toEqual(['location'])
  await userEvent.clear(field)
  await userEvent.type(field, '44,9 ; 5,3')
  expect(store.values['location']).toEqual([5.3, 44.9])
  expect(store.unreadPaths()).toEqual([])
  expect(screen.queryByText(/avec les deux nombres inversés/)).toBeNull()
})

it('shows the place of a draft in place of letters that are none', async () => {
  const store = new FormStore<Values>({ location: null })
  await renderPage(() => (
    <FormProvider value={store}>
      <PointField name="location" label="Emplacement" />
    </FormProvider>
  ))
  const field = screen.getByLabelText<HTMLInputElement>(/^Emplacement/)
  await userEvent.type(field, 'au pont')
  act(() => store.restore({ location: [5.3, 44.9] }))
  expect(field.value).toMatch(/^44,9.*5,3/)
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
})
