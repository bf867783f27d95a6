import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { addressOf, type QueryParams } from '@/api/resource'
import type { AuditEvent, RecordKind } from '@/api/types'
import { ensureTexts } from '@/i18n'
import type { Area } from '@/i18n/resources'
import type { Tone } from '@/ui/badge/Badge'
import { rangeOf } from '@/records/list/filters'
import type { ListConfig } from '@/records/list/list-state'

/** What the journal records, in the order of the filter. The server's words. */
export const actions = [
  'sign_in',
  'sign_out',
  'sessions_ended',
  'password_reset_asked',
  'password_reset',
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'user_created',
  'user_invited',
  'user_changed',
  'user_role_changed',
  'user_blocked',
  'user_unblocked',
  'user_deleted',
  'access',
  'journal_limited',
  'token_made',
  'token_ended',
  'api_key_made',
  'api_key_rotated',
  'api_key_removed',
  'service_key_set',
  'service_key_removed',
  'sealing_key_rotated',
  'service_added',
  'service_changed',
  'service_removed',
  'white_label_created',
  'white_label_changed',
  'white_label_deleted',
  'structure_created',
  'structure_changed',
  'structure_deleted',
  'revision_restored',
  'bin_restored',
  'record_merged',
  'record_replaced',
  'deletion_forced',
  'bulk_undone',
  'import_undone',
  'list_exported',
  'recording_exported',
  'client_file_deleted',
  'job_retried',
  'job_cancelled',
] as const satisfies readonly AuditEvent['action'][]

export const outcomes = ['done', 'refused', 'failed', 'throttled'] as const satisfies readonly AuditEvent['outcome'][]
export const toneOf: Record<AuditEvent['outcome'], Tone> = { done: 'ok', refused: 'danger', failed: 'warn', throttled: 'info' }

/** Where the fields of each kind of record have their labels: the area of its form. */
const areas: Record<RecordKind, Area> = {
  user: 'people',
  structure: 'people',
  contact: 'people',
  white_label: 'whiteLabels',
  parcours: 'sheet',
  poi: 'pois',
  media: 'media',
  itinerary: 'itineraries',
  transport_line: 'lines',
  closure: 'closures',
  provider_link: 'providers',
  survey_campaign: 'campaigns',
  vocabulary: 'settings',
  import_source: 'imports',
  sit_source: 'sit',
  transport_feed: 'transport',
  translator: 'translation',
}

/** The area with the labels of the fields of an event. */
export const areaOf = ({ record }: Pick<AuditEvent, 'record'>): Area => (record === null ? 'resource' : areas[record.kind])

const base = '/api/v1/audit-events'

export const config: ListConfig = { filterKeys: ['period', 'actor', 'action', 'outcome', 'kind', 'record'], defaultSort: '' }

/** The filters of the address as the API asks for them: a period is two days. */
export function queryOf({ period, ...others }: Record<string, string>): QueryParams {
  const [from, to] = rangeOf(period)
  return { ...others, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }
}

/** The journal, the latest first, page after page. */
export const eventsQuery = (query: QueryParams) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', query],
    queryFn: async ({ pageParam }) => {
      const page = await unwrap(
        api.GET('/api/v1/audit-events', {
          params: { query: { ...query, per_page: 50, ...(pageParam === 0 ? {} : { before: pageParam }) } },
        }),
      )
      // Only the areas whose fields the page names: each is a file of its own.
      // Without one of them the names of its fields are shown as they come.
      await ensureTexts(...new Set(page.items.filter(({ detail }) => detail.type === 'fields').map(areaOf))).catch(() => undefined)
      return page
    },
    initialPageParam: 0,
    getNextPageParam: ({ next_before: before }) => before,
    placeholderData: keepPreviousData,
  })

/** The same events as a table. */
export const csvAddress = (query: QueryParams): string => addressOf(`${base}/export.csv`, query)
