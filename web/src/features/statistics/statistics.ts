import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { addressOf, callApi, type Asked } from '@/api/resource'
import type { LngLat, Text } from '@/api/model'

/** What is counted, in the order it is shown. */
export const kinds = ['view', 'widget_view', 'download', 'share', 'pdf', 'guidance'] as const
export type Kind = (typeof kinds)[number]
export const sources = ['public_page', 'widget', 'app', 'share_link', 'api'] as const
export const isKind = (word: string | undefined): word is Kind => kinds.some((kind) => kind === word)
export const isSource = (word: string): word is (typeof sources)[number] => sources.some((source) => source === word)

export type Counts = Record<Kind | 'total', number>
export interface Days { from: string; to: string }
export interface Point extends Days { counts: Counts; before: Counts | null }
export interface StoreFigures {
  store: 'app_store' | 'play_store'
  installs: number
  uninstalls: number
  installs_before: number
  uninstalls_before: number
  points: number[]
}
export interface Statistics {
  period: Days
  before: Days
  bucket: 'day' | 'week' | 'month'
  totals: Counts
  totals_before: Counts
  points: Point[]
  installs: StoreFigures[]
  first_day: string | null
}

export type By = 'parcours' | 'white_label' | 'source' | 'country' | 'language' | 'referrer'
export interface Row { key: string; title: Text | null; name: string | null; counts: Counts; total_before: number }
export interface Place { parcours_id: number; title: Text; position: LngLat; counts: Counts }
export interface Report { rows: number; from: string; to: string; installs: number }

const base = '/api/v1/statistics'

/** Figures of a time beside those of the time before. */
export const statisticsQuery = (asked: Asked) =>
  queryOptions({ queryKey: ['statistics', asked], queryFn: () => callApi<Statistics>('GET', base, { query: asked }), placeholderData: keepPreviousData })

/** The same of one kind, told apart. */
export const breakdownQuery = (asked: Asked, by: By, kind: Kind) =>
  queryOptions({
    queryKey: ['statistics', 'breakdown', by, kind, asked],
    queryFn: () => callApi<{ rows: Row[] }>('GET', `${base}/breakdown`, { query: { ...asked, by, kind } }).then(({ rows }) => rows),
    placeholderData: keepPreviousData,
  })

/** Where the parcours start, with their figures. */
export const placesQuery = (asked: Asked, kind: Kind) =>
  queryOptions({
    queryKey: ['statistics', 'map', kind, asked],
    queryFn: () => callApi<{ points: Place[] }>('GET', `${base}/map`, { query: { ...asked, kind } }).then(({ points }) => points),
    placeholderData: keepPreviousData,
  })

/** The address of the same figures as a table. */
export const csvAddress = (asked: Asked, by: By | 'day'): string => addressOf(`${base}/export.csv`, { ...asked, by })

export const importReport = (whiteLabel: number, store: string, file: File): Promise<Report> =>
  callApi('POST', `${base}/installs`, { query: { white_label_id: whiteLabel, store }, bytes: file })
