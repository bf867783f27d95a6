import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { addressOf, callApi, type Asked } from '@/api/resource'
import type { Named } from '@/api/model'
import type { Tone } from '@/ui/badge/Badge'
import { rangeOf } from '@/ui/list/filters'
import type { ListConfig } from '@/ui/list/list-state'

/** What the journal records, in the order of the filter. The server's words. */
export const actions = [
  'sign_in', 'sign_out', 'sessions_ended', 'password_reset_asked', 'password_reset', 'password_changed', 'second_factor_on', 'second_factor_off',
  'user_created', 'user_invited', 'user_changed', 'user_role_changed', 'user_blocked', 'user_unblocked', 'user_deleted', 'access', 'journal_limited',
  'api_key_made', 'api_key_rotated', 'api_key_removed', 'service_key_set', 'service_key_removed', 'sealing_key_rotated', 'service_added', 'service_changed', 'service_removed',
  'white_label_created', 'white_label_changed', 'white_label_deleted', 'structure_created', 'structure_changed', 'structure_deleted',
  'revision_restored', 'bin_restored', 'record_merged', 'record_replaced', 'deletion_forced', 'bulk_undone', 'import_undone', 'list_exported', 'recording_exported',
  'client_file_deleted',
] as const
export type Action = (typeof actions)[number]

export const outcomes = ['done', 'refused', 'failed', 'throttled'] as const
export type Outcome = (typeof outcomes)[number]
export const toneOf: Record<Outcome, Tone> = { done: 'ok', refused: 'danger', failed: 'warn', throttled: 'info' }

/** Kinds of record an event may name. */
export const kinds = ['user', 'structure', 'white_label', 'parcours', 'poi', 'media', 'contact', 'itinerary', 'transport_line', 'closure', 'provider_link', 'vocabulary', 'import_source', 'sit_source', 'transport_feed', 'translator'] as const

export type Detail =
  | { type: 'none' }
  | { type: 'roles'; before: string; after: string }
  | { type: 'fields'; names: string[] }
  | { type: 'exported'; list: string; count: number }
  | { type: 'count'; count: number }
  | { type: 'into'; id: number }
  | { type: 'operation'; operation: string; code: string }

export interface AuditEvent {
  id: number
  at: string
  actor: { id: number; name: string | null; gone: boolean } | null
  action: Action
  outcome: Outcome
  record: { kind: (typeof kinds)[number]; id: number; visible: boolean } | null
  detail: Detail
  network: string | null
  structure: Named | null
  white_label: Named | null
  request_id: string
}

export interface AuditEvents {
  items: AuditEvent[]
  next_before: number | null
}

const base = '/api/v1/audit-events'

export const config: ListConfig = { filterKeys: ['period', 'actor', 'action', 'outcome', 'kind', 'record'], defaultSort: '' }

/** The filters of the address as the API asks for them: a period is two days. */
export function askedOf({ period, ...others }: Record<string, string>): Asked {
  const [from, to] = rangeOf(period)
  return { ...others, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }
}

/** The journal, the latest first, page after page. */
export const eventsQuery = (asked: Asked) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', asked],
    queryFn: ({ pageParam }) => callApi<AuditEvents>('GET', base, { query: { ...asked, per_page: 50, ...(pageParam === 0 ? {} : { before: pageParam }) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next_before: before }) => before,
    placeholderData: keepPreviousData,
  })

/** The same events as a table. */
export const csvAddress = (asked: Asked): string => addressOf(`${base}/export.csv`, asked)
