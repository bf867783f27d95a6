import type { SurveyCampaign } from '@/api/types'

export type CampaignState = 'open' | 'later' | 'overdue' | 'done' | 'closed'

/** The state of a campaign on a day: what was closed by hand, else what was surveyed, else its days. */
export function stateOf(
  {
    closed,
    overdue,
    length_m: all,
    surveyed_m: done,
    starts_on: starts,
  }: Pick<SurveyCampaign, 'closed' | 'overdue' | 'length_m' | 'surveyed_m' | 'starts_on'>,
  today: string,
): CampaignState {
  if (closed) return 'closed'
  if (all > 0 && done >= all) return 'done'
  if (overdue) return 'overdue'
  return starts > today ? 'later' : 'open'
}
