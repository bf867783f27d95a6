import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ClientFile, ClientFileFilter, ClientFileRow } from '@/api/types'
import { api, ifMatch, unwrap } from '@/api/client'

/** The prefix of the query keys of the client files of a parcours. */
export const clientFilesKey = (parcours: number) => ['parcours', parcours, 'client-files'] as const

export const clientFilesQuery = (parcours: number, page: number, perPage: number, filter: ClientFileFilter = {}) =>
  queryOptions({
    queryKey: [...clientFilesKey(parcours), 'list', page, perPage, filter],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/parcours/{id}/client-files', {
          params: {
            path: { id: parcours },
            query: { page, per_page: perPage, q: filter.q ?? undefined, from: filter.from ?? undefined, to: filter.to ?? undefined },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const clientFileQuery = (parcours: number, id: number) =>
  queryOptions({
    queryKey: [...clientFilesKey(parcours), id],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/client-files/{file_id}', { params: { path: { id: parcours, file_id: id } } })),
  })

export const createClientFile = (parcours: number, file: ClientFile) =>
  unwrap(api.POST('/api/v1/parcours/{id}/client-files', { params: { path: { id: parcours } }, body: file }))

export const saveClientFile = (parcours: number, id: number, version: number, file: ClientFile) =>
  unwrap(
    api.PUT('/api/v1/parcours/{id}/client-files/{file_id}', {
      params: { path: { id: parcours, file_id: id }, header: ifMatch(version) },
      body: file,
    }),
  )

export const deleteClientFile = (parcours: number, { id, version }: Pick<ClientFileRow, 'id' | 'version'>) =>
  unwrap(
    api.DELETE('/api/v1/parcours/{id}/client-files/{file_id}', {
      params: { path: { id: parcours, file_id: id }, header: ifMatch(version) },
    }),
  )
