import { fetchOk } from './http'
import type { LngLat, Named } from './types'

export type GroundKind = 'poi' | 'report' | 'remark' | 'survey' | 'photo'

export interface GroundEntryInput {
  kind: GroundKind
  parcours_id: number | null
  made_at: string
  sent_at: string
  position: LngLat | null
  accuracy_m: number | null
  language: 'fr' | 'en'
  title: string | null
  category_id: number | null
  report_kind: string | null
  text: string
  from_m: number | null
  to_m: number | null
  media_ids: number[]
}

export interface GroundEntry {
  id: string
  kind: GroundKind
  parcours: Named | null
  by: Named
  made_at: string
  received_at: string
  position: LngLat | null
  accuracy_m: number | null
  language: string
  title: string | null
  report_kind: string | null
  text: string
  from_m: number | null
  to_m: number | null
  media: { id: number; thumbnail_url: string }[]
  result: { kind: 'poi' | 'field_report'; id: number } | null
  reviewed_at: string | null
  reviewed_by: Named | null
}

export const putEntry = async (id: string, body: GroundEntryInput, signal: AbortSignal): Promise<GroundEntry> =>
  (
    await fetchOk(`/api/v1/ground/entries/${id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
  ).json()

export interface GroundList {
  items: GroundEntry[]
  total: number
  surveyed_at: string | null
}
export const listEntries = async (query: Record<string, string>): Promise<GroundList> =>
  (await fetchOk(`/api/v1/ground/entries?${new URLSearchParams(query).toString()}`)).json()
export const reviewEntry = async (id: string, reviewed: boolean): Promise<GroundEntry> =>
  (
    await fetchOk(`/api/v1/ground/entries/${id}/review`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ reviewed }),
    })
  ).json()
