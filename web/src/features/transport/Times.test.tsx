import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { ensureTexts } from '@/i18n'
import { Times } from './Times'

beforeAll(() => ensureTexts('common', 'transport'))

it('gives the days of a service as they are, not the kind of day they belong to', () => {
  const hours = { day: 'weekday', first_s: 25_200, last_s: 64_800 } as const
  render(<Times departures={[{ ...hours, weekdays: [1] }, { ...hours, weekdays: [2, 4] }, { ...hours, on: '2027-05-05' }, hours]} />)
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows[0]).toMatch(/^lundi /)
  expect(rows[1]).toMatch(/^mardi et jeudi /)
  expect(rows[2]).toMatch(/^5 mai 2027 /)
  expect(rows[3]).toMatch(/^Lun\.–ven\. /)
})
