import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, asBytes, unwrap } from '@/api/client'
import { addressOf, type QueryParams } from '@/api/resource'
import type { Statistics, StatisticsBy } from '@/api/types'

/** The events that are counted, in the order in which they are shown. */
export const kinds = ['view', 'widget_view', 'download', 'share', 'pdf', 'guidance'] as const
export type Kind = (typeof kinds)[number]
export const sources = ['public_page', 'widget', 'app', 'share_link', 'api'] as const
export const isKind = (word: string | undefined): word is Kind => kinds.some((kind) => kind === word)
export const isSource = (word: string): word is (typeof sources)[number] => sources.some((source) => source === word)

export type Days = Statistics['period']

const base = '/api/v1/statistics'

/** Figures of a time beside those of the time before. */
export const statisticsQuery = (query: QueryParams) =>
  queryOptions({
    queryKey: ['statistics', query],
    queryFn: () => unwrap(api.GET('/api/v1/statistics', { params: { query } })),
    placeholderData: keepPreviousData,
  })

/** The same of one kind, by group. */
export const breakdownQuery = (query: QueryParams, by: StatisticsBy, kind: Kind) =>
  queryOptions({
    queryKey: ['statistics', 'breakdown', by, kind, query],
    queryFn: () => unwrap(api.GET('/api/v1/statistics/breakdown', { params: { query: { ...query, by, kind } } })).then(({ rows }) => rows),
    placeholderData: keepPreviousData,
  })

/** Where the parcours start, with their figures. */
export const placesQuery = (query: QueryParams, kind: Kind) =>
  queryOptions({
    queryKey: ['statistics', 'map', kind, query],
    queryFn: () => unwrap(api.GET('/api/v1/statistics/map', { params: { query: { ...query, kind } } })).then(({ points }) => points),
    placeholderData: keepPreviousData,
  })

/** The address of the same figures as a table. */
export const csvAddress = (query: QueryParams, by: StatisticsBy | 'day'): string => addressOf(`${base}/export.csv`, { ...query, by })

export const importReport = (whiteLabel: number, store: string, file: File) =>
  unwrap(api.POST('/api/v1/statistics/installs', { params: { query: { white_label_id: whiteLabel, store } }, ...asBytes, body: file }))
