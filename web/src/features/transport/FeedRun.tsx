import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FeedCounts, FeedEdition, TransportRun } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { faultText, problemText } from '@/records/problem-text'
import { RunState } from '@/records/source/RunState'
import { cancelRun, refresh, startRun } from './transport'
import classes from './transport.module.css'

const shown = ['lines', 'stops', 'stop_times', 'refreshed', 'gone'] as const satisfies readonly (keyof FeedCounts)[]

/** How far a reading is, or what it found. */
export function FeedRun({ run }: { run: TransportRun }) {
  const { t } = useTranslation('transport')
  const { state, counts, failure, done, total, phase, notes } = run
  const words = total === null ? '' : ` · ${t('progress', { done: format.number(done), total: format.number(total) })}`
  return (
    <RunState
      run={run}
      state={t(`state.${state}`)}
      by={run.asked_by === null ? t('byItself') : t('by', { name: run.asked_by.name })}
      doing={run.cancelling ? t('cancelling') : `${t(`phase.${phase}`)}${words}`}
      failure={failure && faultText(failure)}
    >
      {run.unchanged && <p className="small muted">{t('unchanged')}</p>}
      <p className={classes['counts']}>
        {shown
          .filter((key) => counts[key] > 0)
          .map((key) => t(`counts.${key}`, { count: counts[key], n: format.number(counts[key]) }))
          .join(' · ')}
      </p>
      {notes.length > 0 && (
        <details className={classes['notes']}>
          <summary>{t('notes', { count: notes.length })}</summary>
          <ul>
            {notes.map((note) => (
              <li key={`${note.code} ${note.params?.['name'] ?? ''}`}>{faultText(note)}</li>
            ))}
          </ul>
        </details>
      )}
    </RunState>
  )
}

/** Read it now, or stop reading. */
export function FeedActions({ feed, run }: { feed: number; run: TransportRun | null | undefined }) {
  const { t } = useTranslation('transport')
  const cache = useQueryClient()
  const onError = (error: unknown) => toastError(problemText(error))
  const start = useMutation({
    mutationFn: () => startRun(feed),
    onSuccess: async () => {
      toast({ text: t('started') })
      await refresh(cache)
    },
    onError,
  })
  const stop = useMutation({ mutationFn: (id: number) => cancelRun(id), onSuccess: () => refresh(cache), onError })
  if (run?.state === 'running')
    return (
      <Button size="small" busy={stop.isPending || run.cancelling} onClick={() => stop.mutate(run.id)}>
        {t('cancel')}
      </Button>
    )
  return (
    <Button size="small" look="soft" busy={start.isPending} onClick={() => start.mutate()}>
      {t('read')}
    </Button>
  )
}

/** From when to when its timetables are; and that they are over. */
export function Validity({ edition }: { edition: FeedEdition | null }) {
  const { t } = useTranslation('transport')
  if (edition?.from_day == null || edition.to_day === null) return null
  if (edition.is_over) return <Banner tone="warn">{t('over', { to: format.day(edition.to_day) })}</Banner>
  return <p className="small muted">{t('valid', { from: format.day(edition.from_day), to: format.day(edition.to_day) })}</p>
}
