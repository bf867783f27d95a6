import { queryOptions } from '@tanstack/react-query'
import type { Impact } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { api, unwrap } from '@/api/client'
import { translate } from '@/i18n'
import { format, textOf } from '@/ui/format'

export type ImpactKind =
  | 'parcours'
  | 'poi'
  | 'media'
  | 'white_label'
  | 'itinerary'
  | 'transport_line'
  | 'structure'
  | 'contact'
  | 'user'
  | 'vocabulary'
  | 'closure'
  | 'provider_link'
  | 'survey_campaign'
export type ImpactAction = 'unpublish' | 'delete' | 'change_trace'

/** What an action affects. `null` when the server refuses to answer: the action itself reports why it is refused. */
export async function readImpact(kind: ImpactKind, id: number, action: ImpactAction): Promise<Impact | null> {
  try {
    return await unwrap(api.GET('/api/v1/impact', { params: { query: { kind, id, action } } }))
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** Where the server has the records whose loss others notice. */
const bases: Record<string, ImpactKind> = {
  '/api/v1/pois': 'poi',
  '/api/v1/medias': 'media',
  '/api/v1/white-labels': 'white_label',
  '/api/v1/itineraries': 'itinerary',
  '/api/v1/transport-lines': 'transport_line',
  '/api/v1/structures': 'structure',
  '/api/v1/contacts': 'contact',
  '/api/v1/users': 'user',
  '/api/v1/closures': 'closure',
  '/api/v1/provider-links': 'provider_link',
  '/api/v1/survey-campaigns': 'survey_campaign',
}
/** The items of reference lists have the path of their list. */
export const impactKindOf = (base: string): ImpactKind | undefined =>
  bases[base] ?? (base.startsWith('/api/v1/vocabularies/') ? 'vocabulary' : undefined)

export const impactQuery = (kind: ImpactKind, id: number, action: ImpactAction) =>
  queryOptions({ queryKey: ['impact', kind, id, action], queryFn: () => readImpact(kind, id, action), staleTime: 0, gcTime: 0 })

/** Whether the action affects other people. */
export const reaches = ({ total, shares }: Impact): boolean =>
  total.white_labels + total.parcours + shares.permanent + shares.temporary + shares.qr_printed > 0

const MOST_NAMES = 5
const named = (names: readonly string[], total: number, hidden = 0) => {
  const listed = names.slice(0, MOST_NAMES)
  const others = total - hidden - listed.length
  return format.list([
    ...listed,
    ...(others > 0 ? [translate('common:impact.others', { count: others })] : []),
    ...(hidden > 0 ? [translate(total > hidden ? 'common:impact.hidden' : 'common:impact.hiddenOnly', { count: hidden })] : []),
  ])
}

/** One sentence for each kind of reach. */
export function impactWords({ white_labels: labels, parcours, shares, total }: Impact): string[] {
  return [
    ...(total.white_labels > 0
      ? [
          translate('common:impact.whiteLabels', {
            count: total.white_labels,
            names: named(
              labels.map(({ name }) => name),
              total.white_labels,
            ),
          }),
        ]
      : []),
    ...(total.parcours > 0
      ? [
          translate('common:impact.parcours', {
            count: total.parcours,
            names: named(
              parcours.map(({ title }) => translate('common:quoted', { words: textOf(title) })),
              total.parcours,
              total.hidden_parcours,
            ),
          }),
        ]
      : []),
    ...(shares.permanent > 0 ? [translate('common:impact.permanent', { count: shares.permanent })] : []),
    ...(shares.temporary > 0 ? [translate('common:impact.temporary', { count: shares.temporary })] : []),
    ...(shares.opened > 0 ? [translate('common:impact.opened', { count: shares.opened })] : []),
    ...(shares.qr_printed > 0 ? [translate('common:impact.printed', { count: shares.qr_printed })] : []),
  ]
}
