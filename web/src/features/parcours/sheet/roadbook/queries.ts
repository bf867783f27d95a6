import { queryOptions } from '@tanstack/react-query'
import { fetchOk } from '@/api/http'
import type { ClientFile, RoadbookSettings } from '@/api/types'
import { api, ifMatch, unwrap } from '@/api/client'
import { addressOf } from '@/api/resource'

const at = (id: number) => `/api/v1/parcours/${id}/roadbook`

/** The settings of a parcours' roadbook. */
export const roadbookQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'roadbook'],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/roadbook', { params: { path: { id } } })),
  })

export const saveRoadbook = (id: number, version: number, settings: RoadbookSettings) =>
  unwrap(api.PUT('/api/v1/parcours/{id}/roadbook', { params: { path: { id }, header: ifMatch(version) }, body: settings }))

/** The client of the previewed roadbook: the id of the file (null while it is new) and its values in the form. */
export interface PreviewedClient {
  id: number | null
  file: ClientFile
}

/** Pages as they would be with these settings; an answer that is no longer wanted is given up. */
export const previewQuery = (id: number, version: number, settings: RoadbookSettings, pages: number[], client?: PreviewedClient) =>
  queryOptions({
    queryKey: ['parcours', id, 'roadbook', 'preview', version, settings, pages, client],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/api/v1/parcours/{id}/roadbook/preview', {
          params: { path: { id }, query: { client_file: client?.id ?? undefined } },
          body: { settings, pages, width_px: 640, ...(client && { client_file: client.file }) },
          signal,
        }),
      ),
    staleTime: 60_000,
    gcTime: 60_000,
  })

/** The PDF of the saved roadbook (of a client file if one is given), and its file name. */
export async function printRoadbook(id: number, clientFile?: number): Promise<{ blob: Blob; name: string }> {
  const response = await fetchOk(new URL(addressOf(`${at(id)}/pdf`, { client_file: clientFile }), window.location.origin).href, {
    method: 'POST',
  })
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: name ?? `carnet-${id}.pdf` }
}
