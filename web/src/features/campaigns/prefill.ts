import type { CampaignStretch } from '@/api/types'

/** A campaign of the parcours of an address: `/campagnes/new?parcours=12,14`. */
export function prefill(search: Record<string, string>): Promise<{ stretches?: CampaignStretch[] }> {
  const ids = (search['parcours'] ?? '').split(',').map(Number)
  const known = [...new Set(ids)].filter((id) => Number.isInteger(id) && id > 0)
  return Promise.resolve(known.length === 0 ? {} : { stretches: known.map(whole) })
}

/** All of a parcours, for any person of the campaign. */
export const whole = (parcours_id: number): CampaignStretch => ({ parcours_id, from_m: null, to_m: null, user_id: null })
