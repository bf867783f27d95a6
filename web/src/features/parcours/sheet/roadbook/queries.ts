import { queryOptions } from '@tanstack/react-query'
import type { Roadbook, RoadbookSettings } from '@/api/model'
import { callApi } from '@/api/resource'

const at = (id: number) => `/api/v1/parcours/${id}/roadbook`

/** What is set of a parcours' roadbook. */
export const roadbookQuery = (id: number) => queryOptions({ queryKey: ['parcours', id, 'roadbook'], queryFn: () => callApi<Roadbook>('GET', at(id)) })

export const saveRoadbook = (id: number, version: number, settings: RoadbookSettings) => callApi<Roadbook>('PUT', at(id), { version, body: settings })
