import { expect, it } from 'vitest'
import { stateOf } from './state'

it('says the state of a campaign by its days and by what was surveyed', () => {
  const campaign = { closed: false, overdue: false, length_m: 1000, surveyed_m: 400, starts_on: '2027-03-01' }
  expect(stateOf(campaign, '2027-02-28')).toBe('later')
  expect(stateOf(campaign, '2027-03-01')).toBe('open')
  expect(stateOf({ ...campaign, overdue: true }, '2027-07-01')).toBe('overdue')
  expect(stateOf({ ...campaign, surveyed_m: 1000, overdue: true }, '2027-07-01')).toBe('done')
  expect(stateOf({ ...campaign, closed: true, overdue: true }, '2027-07-01')).toBe('closed')
  expect(stateOf({ ...campaign, length_m: 0, surveyed_m: 0 }, '2027-03-01')).toBe('open')
})
