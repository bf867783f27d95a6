import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { customPrefix } from '@/records/custom-fields/custom-body'
import type { ListConfig } from '@/records/list/list-state'

/** Filters have the API's own names, so that an address can be read. */
export const listConfig: ListConfig = {
  filterKeys: [
    'practice',
    'level',
    'theme',
    'structure',
    'published',
    'progress',
    'owner',
    'incomplete',
    'reliability_below',
    'lack',
    'channel',
    'stale',
    'closed',
    'feedback',
    'children',
    'bbox',
  ],
  filterPrefix: customPrefix,
  defaultSort: '-updated_at',
}

type QueryParams = Record<string, string | number | undefined>

export const parcoursListQuery = (query: QueryParams) =>
  queryOptions({
    queryKey: ['parcours', 'list', query],
    queryFn: () => unwrap(api.GET('/api/v1/parcours', { params: { query } })),
    placeholderData: keepPreviousData,
  })

/** Counts of the tabs: what each view holds, whatever the filters. */
export const parcoursViewsQuery = queryOptions({
  queryKey: ['parcours', 'views', {}],
  queryFn: () => unwrap(api.GET('/api/v1/parcours/views')),
})

/** The list on the map: clusters at low zoom, lines at high zoom. */
export const parcoursMapQuery = (filters: QueryParams, bbox: string, zoom: number) =>
  queryOptions({
    queryKey: ['parcours', 'map', filters, bbox, zoom],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/map', { params: { query: { ...filters, bbox, zoom } } })),
    placeholderData: keepPreviousData,
  })

export const structuresQuery = queryOptions({
  queryKey: ['structures'],
  queryFn: () => unwrap(api.GET('/api/v1/structures', { params: { query: { per_page: 200 } } })),
  staleTime: 5 * 60_000,
})

/** The filters alone: without page, size and order. */
export function filtersOf({ page: _page, per_page: _size, sort: _sort, ...filters }: QueryParams): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
}
