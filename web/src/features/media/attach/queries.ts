import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Kind, Photo } from './match'
import { readMedia, readPlaces, readTitles, recordsOf, sources, type OnRead } from './records'
import { pairOf } from './rows'

/** The media that the address names. */
export const chosenQuery = (search: Record<string, string | undefined>) =>
  queryOptions({ queryKey: ['media', 'attach', search], queryFn: () => readMedia(search), placeholderData: keepPreviousData })

const MINUTE_MS = 60_000

export const titlesQuery = (kind: Kind, onRead: OnRead) =>
  queryOptions({ queryKey: ['attach', 'titles', kind], queryFn: ({ signal }) => readTitles(kind, onRead, signal), staleTime: MINUTE_MS })

export const placesQuery = (kind: Kind, photos: readonly Photo[], withinM: number, onRead: OnRead) =>
  queryOptions({
    queryKey: ['attach', 'places', kind, withinM, photos.map(({ id, place }) => [id, place])],
    queryFn: ({ signal }) => readPlaces(kind, photos, withinM, onRead, signal),
    staleTime: MINUTE_MS,
  })

/** The media files that some records have, as pairs. */
export const attachedQuery = (cache: QueryClient, kind: Kind, ids: readonly number[]) =>
  queryOptions({
    queryKey: [...sources[kind].queryKey, 'attached', ids],
    queryFn: async () => {
      const pairs = new Set<string>()
      for (const id of ids) {
        // One record at a time: a list of hundreds leaves the connection to what the person asks for.
        // oxlint-disable-next-line no-await-in-loop
        const record = await cache
          .fetchQuery({ queryKey: [...sources[kind].queryKey, id], queryFn: () => recordsOf(kind).get(id), staleTime: 30_000 })
          .catch(() => null)
        record?.media_ids?.forEach((mediaId) => pairs.add(pairOf(id, mediaId)))
      }
      return pairs
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
