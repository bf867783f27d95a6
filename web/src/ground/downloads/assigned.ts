import { api, unwrap } from '@/api/client'
import type { SurveyCampaign } from '@/api/types'
import { textOf } from '@/ui/format'

/** A stretch that one is to survey, or all of a parcours. */
export interface Assigned {
  campaign: string
  instructions: string | null
  dueOn: string | null
  /** Metres from the departure; null: all of the parcours. */
  stretch: { fromM: number; toM: number } | null
}

/** The campaigns in which one surveys, that are not over; the first to end first. */
export const myCampaigns = (): Promise<SurveyCampaign[]> =>
  unwrap(api.GET('/api/v1/survey-campaigns', { params: { query: { mine: true, closed: false, per_page: 200 } } })).then(
    ({ items }) => items,
  )

/** Whether a person surveys a stretch: it is theirs, or for any person of the campaign. */
const isFor = (userId: number) => (one: SurveyCampaign['stretches'][number]) => one.user_id == null || one.user_id === userId

/** What a person is to survey of a parcours. */
export const assignedOf = (campaigns: readonly SurveyCampaign[], parcoursId: number, userId: number): Assigned[] =>
  campaigns.flatMap(({ name, instructions, due_on: dueOn, stretches }) =>
    stretches
      .filter((one) => one.parcours_id === parcoursId && isFor(userId)(one))
      .map(({ from_m: fromM, to_m: toM }) => ({
        campaign: name,
        instructions,
        dueOn,
        stretch: fromM == null || toM == null ? null : { fromM, toM },
      })),
  )

/** The parcours of a campaign that a person is to survey, once each, with their names. */
export const parcoursFor = ({ stretches, parcours }: SurveyCampaign, userId: number): { id: number; name: string }[] => {
  const wanted = new Set(stretches.filter(isFor(userId)).map(({ parcours_id: id }) => id))
  return parcours.filter(({ id }) => wanted.has(id)).map(({ id, title }) => ({ id, name: textOf(title) }))
}
