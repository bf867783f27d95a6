import type { BulkAction, BulkReport, BulkRequest, TriState } from '@/api/model'
import { translate } from '@/i18n'
import { format } from '@/ui/format'
import type { Selection } from '@/ui/list/useListState'

export interface BulkChoice {
  action: BulkAction
  value?: TriState
}

/** The body for the ticked rows, or for all that the filters give. */
export function bulkRequest(choice: BulkChoice, selection: Selection, filters: Record<string, string>, dryRun: boolean): BulkRequest {
  const target = selection.everything ? { filter: filters } : { ids: [...selection.ids] }
  return { ...target, ...choice, dry_run: dryRun }
}

/** « 2 seront publiés, 1 l’est déjà, 0 refusé »: what an action would do, before it does it. */
export function forecast({ action }: BulkChoice, report: Pick<BulkReport, 'applied' | 'unchanged' | 'refused'>): string {
  const change = action === 'publish' ? 'publish' : action === 'unpublish' ? 'unpublish' : 'change'
  return format.list([
    translate(`parcours:bulk.will.${change}`, { count: report.applied }),
    translate('parcours:bulk.already', { count: report.unchanged }),
    translate('parcours:bulk.refused', { count: report.refused }),
  ])
}
