import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { toast, toastError, Toaster } from './toast'

beforeEach(() => startTexts('fr', ['common']))

const show = () =>
  render(
    <>
      <button type="button">Publier</button>
      <Toaster />
    </>,
  )
const page = () => screen.getByRole('button', { name: 'Publier' })

it('is reached with F6, which goes back too; without a notification the key is the browser’s', async () => {
  show()
  page().focus()
  await userEvent.keyboard('{F6}')
  expect(document.activeElement).toBe(page())
  const run = vi.fn()
  act(() => void toast({ text: 'Parcours supprimé.', action: { label: 'Annuler', run } }))
  await userEvent.keyboard('{F6}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Annuler' }))
  await userEvent.keyboard('{F6}')
  expect(document.activeElement).toBe(page())
  await userEvent.keyboard('{F6}{Enter}')
  expect(run).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByText('Parcours supprimé.')).toBeNull())
  expect(document.activeElement).toBe(page())
})

it('gives the focus back when it is closed, and leaves it where the action put it', async () => {
  show()
  page().focus()
  act(() => void toastError('Pas de réseau.'))
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Fermer' }))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(page()))
  const elsewhere = document.body.appendChild(document.createElement('input'))
  act(() => void toastError('Le lien est cassé.', { label: 'Réparer', run: () => elsewhere.focus() }))
  await userEvent.keyboard('{F6}{Enter}')
  await waitFor(() => expect(screen.queryByText('Le lien est cassé.')).toBeNull())
  expect(document.activeElement).toBe(elsewhere)
  elsewhere.remove()
})

it('gives the focus to nothing that is gone, or that had it at an earlier visit', async () => {
  show()
  page().focus()
  act(() => void toastError('Pas de réseau.'))
  await userEvent.keyboard('{F6}{F6}')
  expect(document.activeElement).toBe(page())
  act(() => page().blur())
  await userEvent.keyboard('{F6}{Enter}')
  await waitFor(() => expect(screen.queryByText('Pas de réseau.')).toBeNull())
  expect(document.activeElement).toBe(document.body)
})

it('goes with F6 alone, and first to what can be done', async () => {
  show()
  act(() => void toast({ text: 'Parcours supprimé.', action: { label: 'Annuler', run: () => undefined } }))
  act(() => void toast({ text: 'Vue enregistrée.' }))
  page().focus()
  await userEvent.keyboard('{Shift>}{F6}{/Shift}{Control>}{F6}{/Control}')
  expect(document.activeElement).toBe(page())
  await userEvent.keyboard('{F6}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Annuler' }))
})
