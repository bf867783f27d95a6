import type { BulkReport } from '@/api/types'
import { translate } from '@/i18n'
import { faultText } from '@/records/problem-text'
import { toast, toastError, type ToastAction } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'

type BulkItem = BulkReport['items'][number]

/** The actions that have a verb of their own in the texts. */
const verbOf = (action: string) => (action === 'publish' || action === 'unpublish' || action === 'delete' ? action : 'change')

/** « 1 l’est déjà », « 2 refusés »: the items that an action leaves as they are; the counts that are not zero. */
const leftOut = ({ unchanged, refused }: Pick<BulkReport, 'unchanged' | 'refused'>): string[] => [
  ...(unchanged > 0 ? [translate('bulk.unchanged', { count: unchanged })] : []),
  ...(refused > 0 ? [translate('bulk.refused', { count: refused })] : []),
]

/** « 2 seront publiés et 1 refusé »: what an action would do, before it does it; the counts that are not zero. */
export function forecast(action: string, report: BulkReport): string {
  const { applied, unchanged, refused } = report
  return format.list([
    ...(applied > 0 || unchanged + refused === 0 ? [translate(`bulk.will.${verbOf(action)}`, { count: applied })] : []),
    ...leftOut(report),
  ])
}

/** « Le lac : Ce point d’intérêt est utilisé ailleurs (2)… »: why an item is refused. */
export const refusalText = ({ title, code, params }: BulkItem): string =>
  code === undefined ? textOf(title) : format.labelled(textOf(title), faultText({ code, params: params ?? {} }))

/**
 * Reports what an action did to the items that were sent: « Action appliquée ! 2 éléments publiés et 1 refusé. », with the reason of the
 * first refusal. When nothing changed it says so, as an error.
 */
export function reportResult(action: string, sent: number, report: BulkReport, undo?: ToastAction): void {
  const { applied, unchanged, refused, items } = report
  const gone = sent - applied - unchanged - refused
  const others = [...leftOut(report), ...(gone > 0 ? [translate('bulk.gone', { count: gone })] : [])]
  const first = items.find(({ outcome }) => outcome === 'refused')
  const why = first === undefined ? '' : ` ${refusalText(first)}`
  if (applied === 0) toastError(`${translate('bulk.nothingDone', { why: format.list(others) })}${why}`)
  else {
    const counts = format.list([translate(`bulk.did.${verbOf(action)}`, { count: applied }), ...others])
    toast({ text: `${translate('bulk.done')} ${counts}.${why}`, ...(undo && { action: undo }) })
  }
}
