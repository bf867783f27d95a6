import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ImportRun } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { faultText, problemText } from '@/records/problem-text'
import { RunState } from '@/records/source/RunState'
import { cancelRun, refresh, startRun } from './data'
import classes from './sit.module.css'

const outcomes = ['created', 'updated', 'gone', 'unchanged', 'refused', 'kept'] as const

/** The progress of a run, or its result. */
export function Run({ run, linked = true }: { run: ImportRun; linked?: boolean }) {
  const { t } = useTranslation('sit')
  const { state, counts, failure, done, total } = run
  const words =
    total === null ? t('run.progressOpen', { count: done }) : t('run.progress', { done: format.number(done), total: format.number(total) })
  return (
    <RunState
      run={run}
      state={t(`run.state.${state}`)}
      by={run.asked_by === null ? t('run.byItself') : t('run.by', { name: run.asked_by.name })}
      doing={run.cancelling ? t('run.cancelling') : `${t(`run.phase.${run.phase as 'items'}`)} · ${words}`}
      failure={failure && faultText(failure)}
      facts={
        linked && (
          <Link to="/settings/pois-sit/sources/$id" params={{ id: String(run.source_id) }} search={{ tab: 'log', run: String(run.id) }}>
            {t('run.open')}
          </Link>
        )
      }
    >
      <ul className={classes['counts']}>
        {outcomes
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <li key={outcome}>
              <strong className="num">{format.number(counts[outcome])}</strong> {t(`run.count.${outcome}`)}
            </li>
          ))}
      </ul>
    </RunState>
  )
}

/** Read a source now. */
export function Start({ source, running }: { source: number; running: boolean }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const start = useMutation({
    mutationFn: () => startRun(source),
    onSuccess: async () => {
      toast({ text: t('run.started') })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <Button
      size="small"
      look="soft"
      busy={start.isPending}
      {...(running ? { disabledReason: t('errors:import/running') } : {})}
      onClick={() => start.mutate()}
    >
      {t('run.start')}
    </Button>
  )
}

/** Stop a run that goes on. */
export function Stop({ run }: { run: ImportRun }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const stop = useMutation({
    mutationFn: () => cancelRun(run.id),
    onSuccess: () => refresh(cache),
    onError: (error) => toastError(problemText(error)),
  })
  if (run.state !== 'running') return null
  return (
    <Button size="small" busy={stop.isPending || run.cancelling} onClick={() => stop.mutate()}>
      {t('run.cancel')}
    </Button>
  )
}
