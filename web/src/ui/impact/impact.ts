import { queryOptions } from '@tanstack/react-query'
import type { Impact } from '@/api/model'
import { ProblemError } from '@/api/problem'
import { callApi } from '@/api/resource'
import { translate } from '@/i18n'
import { comingKinds } from '@/ui/resource/kinds'
import { format, textOf } from '@/ui/format'

export type ImpactKind = 'parcours' | 'poi' | 'media' | 'white_label' | 'itinerary' | 'transport_line'
export type ImpactAction = 'unpublish' | 'delete' | 'change_trace'

/** Whom an act reaches. What cannot be told is told by nobody: the act itself still says why it is refused. */
export async function readImpact(kind: ImpactKind, id: number, action: ImpactAction): Promise<Impact | null> {
  if (comingKinds.has('impact')) return null
  try {
    return await callApi<Impact>('GET', '/api/v1/impact', { query: { kind, id, action } })
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** Where the server has the records whose loss others notice. */
const bases: Record<string, ImpactKind> = { '/api/v1/pois': 'poi', '/api/v1/medias': 'media', '/api/v1/white-labels': 'white_label', '/api/v1/itineraries': 'itinerary', '/api/v1/transport-lines': 'transport_line' }
export const impactKindOf = (base: string): ImpactKind | undefined => bases[base]

export const impactQuery = (kind: ImpactKind, id: number, action: ImpactAction) => queryOptions({ queryKey: ['impact', kind, id, action], queryFn: () => readImpact(kind, id, action), staleTime: 0, gcTime: 0 })

/** Does anybody but oneself notice? */
export const reaches = ({ white_labels: labels, parcours, shares }: Impact): boolean => labels.length + parcours.length + shares.permanent + shares.temporary + shares.qr_printed > 0

const MOST_NAMES = 5
const named = (names: readonly string[]) => format.list([...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? [translate('common:impact.others', { count: names.length - MOST_NAMES })] : [])])

/** One sentence for each kind of reach. */
export function impactWords({ white_labels: labels, parcours, shares }: Impact): string[] {
  return [
    ...(labels.length > 0 ? [translate('common:impact.whiteLabels', { count: labels.length, names: named(labels.map(({ name }) => name)) })] : []),
    ...(parcours.length > 0 ? [translate('common:impact.parcours', { count: parcours.length, names: named(parcours.map(({ title }) => `« ${textOf(title)} »`)) })] : []),
    ...(shares.permanent > 0 ? [translate('common:impact.permanent', { count: shares.permanent })] : []),
    ...(shares.temporary > 0 ? [translate('common:impact.temporary', { count: shares.temporary })] : []),
    ...(shares.qr_printed > 0 ? [translate('common:impact.printed', { count: shares.qr_printed })] : []),
  ]
}
