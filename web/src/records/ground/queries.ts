import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** The entries of a page of the list. */
export const PER_PAGE = 50

export const entryViews = ['waiting', 'reviewed', 'all'] as const
export type EntryView = (typeof entryViews)[number]

/** The prefix of the keys of all lists of entries made on the ground. */
export const entriesKey = ['ground'] as const

/** What came from the ground, the last received first: of one parcours, or of the active white-label. */
export const entriesQuery = ({ parcoursId, view, page }: { parcoursId?: number; view: EntryView; page: number }) =>
  queryOptions({
    queryKey: [...entriesKey, parcoursId ?? 'all', view, page],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/ground/entries', {
          params: {
            query: {
              page,
              per_page: PER_PAGE,
              ...(parcoursId !== undefined && { parcours_id: parcoursId }),
              ...(view !== 'all' && { reviewed: view === 'reviewed' }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
