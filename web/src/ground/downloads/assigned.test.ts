import { expect, it } from 'vitest'
import type { SurveyCampaign } from '@/api/types'
import { assignedOf, parcoursFor } from './assigned'

const whole = { from_m: null, to_m: null }
const campaign = {
  name: 'Récolement',
  instructions: 'Balisage',
  due_on: '2027-05-31',
  parcours: [
    { id: 1, title: { fr: 'Lac' } },
    { id: 2, title: { fr: 'Crête', en: 'Ridge' } },
    { id: 3, title: { fr: 'Gorges' } },
  ],
  stretches: [
    { parcours_id: 1, from_m: 1000, to_m: 2000, user_id: 7 },
    { parcours_id: 1, ...whole, user_id: 8 },
    { parcours_id: 2, ...whole, user_id: null },
    { parcours_id: 3, ...whole, user_id: 8 },
  ],
} as unknown as SurveyCampaign

it('a person is to survey what is theirs and what is for any person', () => {
  expect(assignedOf([campaign], 1, 7)).toEqual([
    { campaign: 'Récolement', instructions: 'Balisage', dueOn: '2027-05-31', stretch: { fromM: 1000, toM: 2000 } },
  ])
  expect(assignedOf([campaign], 2, 7).map(({ stretch }) => stretch)).toEqual([null])
  expect(assignedOf([campaign], 3, 7)).toEqual([])
  expect(parcoursFor(campaign, 7).map(({ name }) => name)).toEqual(['Lac', 'Crête'])
})
