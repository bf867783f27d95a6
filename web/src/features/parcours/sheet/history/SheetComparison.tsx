import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import type { Parcours, Revision } from '@/api/types'
import { toast, toastError } from '@/ui/feedback/toast'
import { Comparison } from '@/records/history/Comparison'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { sheetFieldName } from '../field-name'
import { currentOf } from '../retry-on-conflict'
import { parcoursQuery, restore, revisionQuery } from '../queries'
import { useValueWords } from '../useValueWords'
import { differences } from './diff'

/** The changes between two saves of a sheet. */
export function SheetComparison({ older, newer, onRestored }: { older: number; newer: number; onRestored: () => void }) {
  const { parcours } = useSheet()
  const words = useValueWords()
  // A past save holds what the staff filled in; the rest is the same parcours.
  const whole = (revision: Revision): Parcours => ({ ...parcours, ...revision.parcours })
  return (
    <Comparison
      before={useQuery(revisionQuery(parcours.id, older))}
      after={useQuery(revisionQuery(parcours.id, newer))}
      differencesOf={(before, after) => differences(whole(before), whole(after))}
      nameOf={sheetFieldName}
      words={words}
      whole={['trace', 'special_levels']}
      editable={parcours.editable}
      restoring={useRestore(older, onRestored)}
    />
  )
}

/** Restoring is itself a save; unsaved changes stay, over the restored values. */
function useRestore(from: number, onRestored: () => void) {
  const { t } = useTranslation('sheet')
  const { parcours, cacheRecord } = useSheet()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (fields: string[] | undefined) => restore(parcours.id, parcours.version, from, fields),
    onSuccess: (answer, fields = []) => {
      onRestored()
      cacheRecord(answer)
      const [field] = fields
      toast({ text: field === undefined ? t('history:restored') : t('history:restoredField', { field: sheetFieldName(field) }) })
    },
    onError: (error) => {
      const current = currentOf(error)
      if (current !== null) cache.setQueryData(parcoursQuery(parcours.id).queryKey, current)
      toastError(t('error.because', { what: t('error.restore'), why: problemText(error) }))
    },
  })
}
