import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { ImportRun } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import { cancelRun, noteText, refresh, startRun, stateTones } from './data'
import classes from './sit.module.css'

const told = ['created', 'updated', 'gone', 'unchanged', 'refused'] as const

/** How far a run is, or what it did. */
export function Run({ run, linked = true }: { run: ImportRun; linked?: boolean }) {
  const { t } = useTranslation('sit')
  const id = useId()
  const { state, counts, failure, done, total } = run
  const words = total === null ? t('run.progressOpen', { count: done }) : t('run.progress', { done: format.number(done), total: format.number(total) })
  return (
    <div className={classes['run']} aria-busy={state === 'running'}>
      <p className={classes['facts']}>
        <Badge tone={stateTones[state]}>{t(`run.state.${state}`)}</Badge>
        <span className="muted" title={format.instant(run.started_at)}>
          {format.ago(run.started_at)} {run.asked_by === null ? t('run.byItself') : t('run.by', { name: run.asked_by.name })}
        </span>
        {linked && (
          <Link to="/settings/pois-sit/sources/$id" params={{ id: String(run.source_id) }} search={{ tab: 'log', run: String(run.id) } as never}>
            {t('run.open')}
          </Link>
        )}
      </p>
      {state === 'running' && (
        <div className={classes['progress']}>
          <label htmlFor={id} className="num" role="status">
            {run.cancelling ? t('run.cancelling') : `${t(`run.phase.${run.phase as 'items'}`)} · ${words}`}
          </label>
          <progress id={id} max={Math.max(1, total ?? 1)} {...(total === null ? {} : { value: Math.min(done, total) })} />
        </div>
      )}
      {failure !== null && <p className={classes['failure']}>{noteText(failure)}</p>}
      <ul className={classes['counts']}>
        {told
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <li key={outcome}>
              <strong className="num">{format.number(counts[outcome])}</strong> {t(`run.count.${outcome}`)}
            </li>
          ))}
      </ul>
    </div>
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
    <Button size="small" look="soft" busy={start.isPending} {...(running ? { disabledReason: t('errors:import/running') } : {})} onClick={() => start.mutate()}>
      {t('run.start')}
    </Button>
  )
}

/** Stop a run that goes on. */
export function Stop({ run }: { run: ImportRun }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const stop = useMutation({ mutationFn: () => cancelRun(run.id), onSuccess: () => refresh(cache), onError: (error) => toastError(problemText(error)) })
  if (run.state !== 'running') return null
  return (
    <Button size="small" busy={stop.isPending || run.cancelling} onClick={() => stop.mutate()}>
      {t('run.cancel')}
    </Button>
  )
}
