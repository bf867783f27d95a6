import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ClientFile, ClientFileContent, ClientFileRow, Page } from '@/api/model'
import { callApi } from '@/api/resource'

const base = (parcours: number) => `/api/v1/parcours/${parcours}/client-files`

/** All that is known of the client files of a parcours. */
export const clientFilesKey = (parcours: number) => ['parcours', parcours, 'client-files'] as const

export const clientFilesQuery = (parcours: number, page: number, perPage: number) =>
  queryOptions({
    queryKey: [...clientFilesKey(parcours), 'list', page, perPage],
    queryFn: () => callApi<Page<ClientFileRow>>('GET', base(parcours), { query: { page, per_page: perPage } }),
    placeholderData: keepPreviousData,
  })

export const clientFileQuery = (parcours: number, id: number) => queryOptions({ queryKey: [...clientFilesKey(parcours), id], queryFn: () => callApi<ClientFile>('GET', `${base(parcours)}/${id}`) })

export const createClientFile = (parcours: number, file: ClientFileContent) => callApi<ClientFile>('POST', base(parcours), { body: file })

export const saveClientFile = (parcours: number, id: number, version: number, file: ClientFileContent) => callApi<ClientFile>('PUT', `${base(parcours)}/${id}`, { version, body: file })

export const deleteClientFile = (parcours: number, { id, version }: Pick<ClientFileRow, 'id' | 'version'>) => callApi<undefined>('DELETE', `${base(parcours)}/${id}`, { version })
