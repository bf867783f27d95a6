import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { ConfirmDialog } from './ConfirmDialog'

beforeAll(() => startTexts('fr', ['common']))

const confirmed = vi.fn()
const ask = (typed: string) =>
  render(
    <AppTheme>
      <ConfirmDialog opened onClose={() => undefined} title="Supprimer ?" confirm="Supprimer" typed={typed} onConfirm={confirmed} danger />
    </AppTheme>,
  )
const field = () => screen.findByLabelText(/^Pour confirmer/)

it('takes a title as a keyboard types it: apostrophe, spaces, capitals, composed letters', async () => {
  confirmed.mockReset()
  ask('L’Étang\u00a0: le tour\u202f!')
  await userEvent.type(await field(), "  l'e\u0301tang : le  tour !")
  expect(screen.queryByText('Le titre saisi est différent.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Supprimer' }))
  expect(confirmed).toHaveBeenCalledOnce()
})

it('says that a title differs, and not while its beginning is typed', async () => {
  confirmed.mockReset()
  ask('Le lac')
  await userEvent.type(await field(), 'Le la')
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.type(await field(), 'x')
  expect(screen.getByRole('alert').textContent).toBe('Le titre saisi est différent.')
  await userEvent.click(screen.getByRole('button', { name: 'Supprimer' }))
  expect(confirmed).not.toHaveBeenCalled()
})
