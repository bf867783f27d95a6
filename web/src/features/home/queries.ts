import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

type Filters = Record<string, string | number>

/** Some rows of the list of parcours, for a part of the dashboard. */
const rows = (filters: Filters) =>
  queryOptions({
    queryKey: ['parcours', 'list', filters],
    queryFn: () => unwrap(api.GET('/api/v1/parcours', { params: { query: filters } })),
  })

/** Tasks, edits and counts: fetched again at each visit of the home page. */
export const dashboardQuery = queryOptions({ queryKey: ['dashboard'], queryFn: () => unwrap(api.GET('/api/v1/dashboard')), staleTime: 0 })
export const latestQuery = rows({ owner: 'mine', sort: '-updated_at', per_page: 6 })
/** The first two parcours of a list of the waiting work, for their names. */
export const firstOf = (query: string, sort: string) => rows({ ...Object.fromEntries(new URLSearchParams(query)), sort, per_page: 2 })
/** The first two parcours of a list of the network watch, for their names. */
export const firstChanged = (query: string) =>
  queryOptions({
    queryKey: ['planner', 'watch', 'changes', 'first', query],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/planner/watch/changes', { params: { query: { ...Object.fromEntries(new URLSearchParams(query)), per_page: 2 } } }),
      ),
  })
export const draftedQuery = (ids: readonly number[]) => rows({ ids: ids.join(','), progress: 'any', per_page: 10 })
