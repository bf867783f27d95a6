import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReportDecision, ReviewDecision } from '@/api/types'
import { useTranslation } from '@/i18n'
import { toast, toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { decideReport, decideReview, deleteReport, keyOf } from './queries'

/** A mutation of a review or a report that reloads the list `what` and shows the text of `done`. */
function useDone<V>(what: 'reviews' | 'field-reports', act: (id: number, value: V) => Promise<unknown>, done: (value: V) => string) {
  const { t } = useTranslation('reviews')
  const { id } = useSheet().parcours
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (value: V) => act(id, value),
    onSuccess: async (_, value) => {
      await cache.invalidateQueries({ queryKey: keyOf(id, what) })
      toast({ text: done(value) })
    },
    onError: (error) => toastError(t('error.because', { what: t('error.action'), why: problemText(error) })),
  })
}

/** Publishes, refuses or answers a review, or dismisses the complaints about it. */
export function useDecideReview() {
  const { t } = useTranslation('reviews')
  return useDone<{ review: number; decision: ReviewDecision }>(
    'reviews',
    (id, { review, decision }) => decideReview(id, review, decision),
    ({ decision }) => t(decision.action === 'answer' && decision.text.trim() === '' ? 'done.unanswered' : `done.${decision.action}`),
  )
}

/** See or solve a report. */
export function useDecideReport() {
  const { t } = useTranslation('reviews')
  return useDone<{ report: number; decision: ReportDecision }>(
    'field-reports',
    (id, { report, decision }) => decideReport(id, report, decision),
    ({ decision }) => t(decision.action === 'see' && decision.shown ? 'done.shown' : `done.${decision.action}`),
  )
}

/** Delete a report for good. */
export function useDeleteReport() {
  const { t } = useTranslation('reviews')
  return useDone<number>('field-reports', deleteReport, () => t('done.deleted'))
}
