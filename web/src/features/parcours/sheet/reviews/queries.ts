import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { ReportDecision, ReportState, ReviewDecision } from '@/api/types'

export const PER_PAGE = 20

/** The filter of the reviews. */
export const reviewViews = ['all', 'waiting', 'published', 'refused', 'reported'] as const
export type ReviewView = (typeof reviewViews)[number]
/** The filter of the reports. */
export const reportViews = ['all', 'new', 'seen', 'solved'] as const
export type ReportView = (typeof reportViews)[number]

/** The prefix of the query keys of all reviews, or of all reports, of a parcours. */
export const keyOf = (id: number, what: 'reviews' | 'field-reports') => ['parcours', id, what] as const

export const reviewsQuery = (id: number, view: ReviewView, page: number) =>
  queryOptions({
    queryKey: [...keyOf(id, 'reviews'), view, page],
    queryFn: () => {
      const state = view === 'all' || view === 'reported' ? undefined : view
      const query = { page, per_page: PER_PAGE, ...(state && { state }), ...(view === 'reported' && { reported: true }) }
      return unwrap(api.GET('/api/v1/parcours/{id}/reviews', { params: { path: { id }, query } }))
    },
    placeholderData: keepPreviousData,
  })

export const reportsQuery = (id: number, view: ReportView, page: number) =>
  queryOptions({
    queryKey: [...keyOf(id, 'field-reports'), view, page],
    queryFn: () => {
      const state: ReportState | undefined = view === 'all' ? undefined : view
      return unwrap(
        api.GET('/api/v1/parcours/{id}/field-reports', {
          params: { path: { id }, query: { page, per_page: PER_PAGE, ...(state && { state }) } },
        }),
      )
    },
    placeholderData: keepPreviousData,
  })

export const decideReview = (id: number, review_id: number, body: ReviewDecision) =>
  unwrap(api.POST('/api/v1/parcours/{id}/reviews/{review_id}/decision', { params: { path: { id, review_id } }, body }))
export const decideReport = (id: number, report_id: number, body: ReportDecision) =>
  unwrap(api.POST('/api/v1/parcours/{id}/field-reports/{report_id}/decision', { params: { path: { id, report_id } }, body }))
export const deleteReport = (id: number, report_id: number): Promise<undefined> =>
  unwrap(api.DELETE('/api/v1/parcours/{id}/field-reports/{report_id}', { params: { path: { id, report_id } } }))
