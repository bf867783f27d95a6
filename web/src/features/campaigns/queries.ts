import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** The people who may survey, by name. */
export const peopleQuery = queryOptions({
  queryKey: ['survey_campaign', 'people'],
  queryFn: () => unwrap(api.GET('/api/v1/survey-campaigns/people')).then(({ items }) => items),
  staleTime: 60_000,
})

/** What was surveyed of a campaign as it was saved. */
export const coverageQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['survey_campaign', id, 'coverage', version],
    queryFn: () =>
      unwrap(api.GET('/api/v1/survey-campaigns/{id}/coverage', { params: { path: { id } } })).then(({ stretches }) => stretches),
    enabled: id > 0,
  })
