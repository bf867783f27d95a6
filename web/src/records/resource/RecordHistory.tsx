import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { resourceApi, type CatalogueRecord, type RecordsPathOf } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { toast, toastError } from '@/ui/feedback/toast'
import { same, type Values } from '@/records/form/paths'
import { Comparison, type Difference } from '@/records/history/Comparison'
import { HistoryDrawer } from '@/records/history/HistoryDrawer'
import { problemText } from '@/records/problem-text'

/** The record whose history is shown, and how its fields are displayed. */
export interface HistorySubject {
  base: RecordsPathOf<CatalogueRecord>
  queryKey: readonly string[]
  id: number
  version: number
  editable: boolean
  nameOf: (field: string) => string
  /** The fields of a past save, one key each. */
  valuesOf: (past: object) => Values
  words: (path: string, value: unknown) => ReactNode
}

const revisionOf = ({ base, queryKey, id }: HistorySubject, version: number) =>
  // A past version never changes: it is cached for the session.
  queryOptions({
    queryKey: [...queryKey, id, 'revision', version],
    queryFn: () => resourceApi<CatalogueRecord>(base).revision(id, version),
    staleTime: Infinity,
  })

/** Every save of a record of the catalogue; one field or all can be restored. */
export default function RecordHistory({ subject, onClose }: { subject: HistorySubject; onClose: () => void }) {
  const { base, queryKey, id, version, nameOf } = subject
  const list = useQuery({ queryKey: [...queryKey, id, 'revisions', version], queryFn: () => resourceApi(base).revisions(id) })
  return (
    <HistoryDrawer
      list={list}
      version={version}
      nameOf={nameOf}
      onClose={onClose}
      renderComparison={({ older, newer, done }) => (
        <Compared key={`${older} ${newer}`} subject={subject} older={older} newer={newer} onRestored={done} />
      )}
    />
  )
}

function Compared({
  subject,
  older,
  newer,
  onRestored,
}: {
  subject: HistorySubject
  older: number
  newer: number
  onRestored: () => void
}) {
  const differencesOf = (before: { record: object }, after: { record: object }): Difference[] => {
    // A past version contains only what users filled in: other fields are not compared.
    const [old, now] = [subject.valuesOf(before.record), subject.valuesOf(after.record)]
    return Object.keys(now).flatMap((field) => (same(old[field], now[field]) ? [] : [{ field, before: old[field], after: now[field] }]))
  }
  return (
    <Comparison
      before={useQuery(revisionOf(subject, older))}
      after={useQuery(revisionOf(subject, newer))}
      differencesOf={differencesOf}
      nameOf={subject.nameOf}
      words={subject.words}
      editable={subject.editable}
      restoring={useRestore(subject, older, onRestored)}
    />
  )
}

/** Restoring is a save. Changes in the form that are not saved yet are kept, on top of what was restored. */
function useRestore({ base, id, version, nameOf }: HistorySubject, from: number, onRestored: () => void) {
  const { t } = useTranslation('history')
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (fields: string[] | undefined) => resourceApi(base).restore(id, version, from, fields),
    onSuccess: async (_, fields = []) => {
      await cache.invalidateQueries()
      onRestored()
      const [field] = fields
      toast({ text: field === undefined ? t('restored') : t('restoredField', { field: nameOf(field) }) })
    },
    onError: (error) => toastError(t('resource:because', { what: t('failed'), why: problemText(error) })),
  })
}
