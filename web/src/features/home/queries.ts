import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

type Filters = Record<string, string | number>

/** Some rows of the list of parcours, for a part of the dashboard. */
const rows = (filters: Filters) =>
  queryOptions({
    queryKey: ['parcours', 'list', filters],
    queryFn: () => unwrap(api.GET('/api/v1/parcours', { params: { query: filters } })),
  })

export const viewsQuery = queryOptions({
  queryKey: ['parcours', 'views', {}],
  queryFn: () => unwrap(api.GET('/api/v1/parcours/views')),
})
export const latestQuery = rows({ owner: 'mine', sort: '-updated_at', per_page: 6 })
export const incompleteQuery = rows({ owner: 'mine', incomplete: 'true', sort: '-updated_at', per_page: 2 })
export const lowQuery = rows({ owner: 'mine', reliability_below: 95, sort: 'reliability', per_page: 2 })
export const toReviewQuery = rows({ owner: 'mine', progress: 'to_review', sort: '-updated_at', per_page: 2 })
export const toFixQuery = rows({ owner: 'mine', progress: 'to_fix', sort: '-updated_at', per_page: 2 })
export const publishedQuery = rows({ owner: 'mine', published: 'true', sort: '-updated_at', per_page: 1 })
export const bestQuery = rows({ owner: 'mine', sort: '-reliability', per_page: 1 })
export const draftedQuery = (ids: readonly number[]) => rows({ ids: ids.join(','), progress: 'any', per_page: 10 })
