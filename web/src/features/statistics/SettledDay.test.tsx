import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SettledDay } from './SettledDay'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('takes a day once it is typed to its end', () => {
  const taken: string[] = []
  render(<SettledDay value="2026-03-01" onChange={(day) => taken.push(day)} />)
  const field = screen.getByDisplayValue<HTMLInputElement>('2026-03-01')
  for (const day of ['0002-04-01', '0020-04-01', '0202-04-01', '2025-04-01']) {
    fireEvent.change(field, { target: { value: day } })
    // However slowly: an early year is only on its way.
    vi.advanceTimersByTime(day < '2000' ? 2_000 : 200)
    expect([field.value, taken]).toEqual([day, []])
  }
  vi.advanceTimersByTime(500)
  expect(taken).toEqual(['2025-04-01'])
})
