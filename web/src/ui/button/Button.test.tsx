import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Button } from './Button'

it('begins one call on a double click, and steps twice where it begins none', async () => {
  const [call, step] = [vi.fn(), vi.fn()]
  render(
    <>
      <Button busy={false} onClick={call}>
        Dupliquer
      </Button>
      <Button onClick={step}>Plus</Button>
    </>,
  )
  await userEvent.dblClick(screen.getByRole('button', { name: 'Dupliquer' }))
  await userEvent.dblClick(screen.getByRole('button', { name: 'Plus' }))
  expect([call.mock.calls.length, step.mock.calls.length]).toEqual([1, 2])
})
