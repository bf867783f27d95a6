import type { PoiFlags } from '@/api/types'

/** Where the server has the points of interest. */
export const base = '/api/v1/pois'

export const flags = ['good_address', 'must_see', 'detour_point', 'landmark', 'bookable'] as const satisfies readonly (keyof PoiFlags)[]
