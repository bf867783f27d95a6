import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { Toaster } from '@/ui/feedback/toast'
import { SearchOne } from './lazy-select'
import { useOpening } from './useOpening'

// The list comes when the test says so, as over a slow line.
const { gate, arrive } = vi.hoisted(() => {
  let open = () => {}
  return {
    gate: new Promise<void>((done) => {
      open = done
    }),
    arrive: () => open(),
  }
})
vi.mock('./SearchSelect', async (original) => {
  await gate
  return original()
})

const wiring = { id: 'country', 'aria-describedby': undefined, 'aria-invalid': undefined, 'aria-required': undefined } as const
const sent = vi.fn()
// What jsdom lacks.
vi.stubGlobal('CSS', { escape: (text: string) => text })

function Page() {
  const [value, setValue] = useState<string | null>(null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent()
      }}
    >
      <label htmlFor="country">Pays</label>
      <SearchOne
        wiring={wiring}
        choices={[
          { value: 'EG', label: 'Égypte' },
          { value: 'FR', label: 'France' },
        ]}
        value={value}
        onChange={setValue}
      />
    </form>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Pays' })

it('keeps whole what is typed before the list is there: no accent cut in two, no form sent by Enter', async () => {
  await renderPage(Page)
  const closed = field()
  act(() => closed.focus())
  await userEvent.keyboard('{Enter}')
  fireEvent.compositionStart(closed)
  fireEvent.change(closed, { target: { value: '´' } })
  arrive()
  await act(() => new Promise((wake) => setTimeout(wake, 50)))
  expect(field()).toBe(closed)
  fireEvent.change(closed, { target: { value: 'É' } })
  fireEvent.compositionEnd(closed)
  await waitFor(() => expect(field()).not.toBe(closed))
  expect(document.activeElement).toBe(field())
  expect(field().value).toBe('É')
  expect(await screen.findByText('Égypte')).toBeTruthy()
  expect(screen.queryByText('France')).toBeNull()
  expect(sent).not.toHaveBeenCalled()
})

it('takes its message away once the list that could not be fetched is there', async () => {
  const read = vi.fn<() => Promise<object>>().mockRejectedValueOnce(new TypeError('no network')).mockResolvedValue({})
  function Field() {
    const { module, closed } = useOpening(read, 'far')
    return (
      <>
        <button type="button" onClick={closed.open}>
          {module === null ? 'Ouvrir' : 'Ouvert'}
        </button>
        <Toaster />
      </>
    )
  }
  await renderPage(Field)
  await userEvent.click(screen.getByRole('button', { name: 'Ouvrir' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Ouvrir' }))
  expect(await screen.findByRole('button', { name: 'Ouvert' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
