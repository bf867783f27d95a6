import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { MenuButton } from './MenuButton'
import { PopoverButton } from './PopoverButton'
import { useOpening } from './useOpening'

beforeAll(() => startTexts('fr', ['common']))

const chosen = vi.fn()
function menu() {
  render(
    <MantineProvider env="test">
      <MenuButton
        position="bottom-end"
        zIndex={150}
        button={<button type="button">Actions</button>}
        entries={() => [{ label: 'Ouvrir', onSelect: chosen }]}
      />
    </MantineProvider>,
  )
  return screen.getByRole('button', { name: 'Actions' })
}

describe('a menu whose code comes after the page', () => {
  it('opens at the first press, without a movement before', async () => {
    const button = menu()
    expect(button.getAttribute('aria-haspopup')).toBe('menu')
    fireEvent.click(button)
    const opened = await screen.findByRole('menu', { name: 'Actions' })
    expect(button.getAttribute('aria-controls')).toBe(opened.id)
    expect(button.getAttribute('aria-expanded')).toBe('true')
  })

  it('keeps its button, which gets the focus back', async () => {
    const button = menu()
    button.focus()
    await userEvent.keyboard('{Enter}')
    await screen.findByRole('menu')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(screen.getByRole('button', { name: 'Actions' })).toBe(button)
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('is mounted, closed, once the pointer has come: the press itself opens it', async () => {
    const button = menu()
    fireEvent.pointerEnter(button)
    await act(() => vi.dynamicImportSettled())
    expect(screen.queryByRole('menu')).toBeNull()
    fireEvent.click(button)
    // At once: nothing is waited for.
    expect(button.getAttribute('aria-expanded')).toBe('true')
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Ouvrir' }))
    expect(chosen).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })
})

it('opens a small window, which closes itself', async () => {
  render(
    <MantineProvider env="test">
      <PopoverButton position="bottom-end" width={200} label="Colonnes" button={<button type="button">Colonnes</button>}>
        {(close) => (
          <button type="button" onClick={close}>
            Fermer
          </button>
        )}
      </PopoverButton>
    </MantineProvider>,
  )
  const button = screen.getByRole('button', { name: 'Colonnes' })
  await userEvent.click(button)
  await screen.findByRole('dialog', { name: 'Colonnes' })
  await userEvent.click(screen.getByRole('button', { name: 'Fermer' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('takes its message away once what could not be fetched is there', async () => {
  const read = vi.fn<() => Promise<object>>().mockRejectedValueOnce(new TypeError('no network')).mockResolvedValue({})
  function Page() {
    const { button } = useOpening(read, 'menu', <button type="button">Actions</button>)
    return button
  }
  render(
    <>
      <Page />
      <Toaster />
    </>,
  )
  const button = screen.getByRole('button', { name: 'Actions' })
  fireEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toContain('L’ouverture a échoué')
  fireEvent.click(button)
  await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('true'))
  expect(screen.queryByRole('alert')).toBeNull()
})
