import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteUser } from '@/api/signed-in-user'
import { startTexts } from '@/i18n'
import { NotFoundPage } from './NotFoundPage'

beforeEach(() => startTexts('fr'))
afterEach(() => noteUser(undefined))

it('names the user in its logs when the session is read after the page was shown', async () => {
  render(<NotFoundPage />)
  await userEvent.click(screen.getByRole('button', { name: /^Voir\sles\sjournaux/ }))
  expect(screen.queryByText('Utilisateur')).toBeNull()
  act(() => noteUser(7))
  expect(screen.getByText('Utilisateur').nextElementSibling?.textContent).toBe('7')
})
