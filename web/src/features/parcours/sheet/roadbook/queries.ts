import { queryOptions } from '@tanstack/react-query'
import { fetchOk } from '@/api/http'
import type { Roadbook, RoadbookPreview, RoadbookSettings } from '@/api/model'
import { callApi } from '@/api/resource'

const at = (id: number) => `/api/v1/parcours/${id}/roadbook`

/** What is set of a parcours' roadbook. */
export const roadbookQuery = (id: number) => queryOptions({ queryKey: ['parcours', id, 'roadbook'], queryFn: () => callApi<Roadbook>('GET', at(id)) })

export const saveRoadbook = (id: number, version: number, settings: RoadbookSettings) => callApi<Roadbook>('PUT', at(id), { version, body: settings })

/** Pages as they would be with these settings; an answer that is no longer wanted is given up. */
export const previewQuery = (id: number, version: number, settings: RoadbookSettings, pages: number[]) =>
  queryOptions({
    queryKey: ['parcours', id, 'roadbook', 'preview', version, settings, pages],
    queryFn: ({ signal }) => callApi<RoadbookPreview>('POST', `${at(id)}/preview`, { body: { settings, pages, width_px: 640 }, signal }),
    staleTime: 60_000,
    gcTime: 60_000,
  })

/** The PDF of what is saved, and the name it is kept under. */
export async function printRoadbook(id: number): Promise<{ blob: Blob; name: string }> {
  const response = await fetchOk(new URL(`${at(id)}/pdf`, window.location.origin).href, { method: 'POST' })
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: name ?? `carnet-${id}.pdf` }
}
