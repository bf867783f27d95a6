import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportOutcome, ImportRun } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { RunState } from '@/records/source/RunState'
import classes from './imports.module.css'
import { actOnRun, noteText, refresh, startRun, threshold } from './imports'

const outcomes = ['created', 'updated', 'to_merge', 'gone', 'kept', 'undone', 'unchanged', 'refused'] as const satisfies readonly (
  | ImportOutcome
  | 'unchanged'
)[]

/** The progress of a run, or its result. */
export function Run({ run, linked = true }: { run: ImportRun; linked?: boolean }) {
  const { t } = useTranslation('imports')
  const { state, mode, counts, failure, done, total } = run
  const words =
    total === null ? t('run.progressOpen', { count: done }) : t('run.progress', { done: format.number(done), total: format.number(total) })
  return (
    <RunState
      run={run}
      state={t(`state.${state}`)}
      mode={<span>{t(`mode.${mode}`)}</span>}
      by={run.asked_by === null ? t('byItself') : t('by', { name: run.asked_by.name })}
      doing={run.cancelling ? t('run.cancelling') : `${t(`run.phase.${run.phase as 'items'}`)} · ${words}`}
      failure={failure && noteText(failure)}
      facts={
        <>
          {run.error_count > 0 && <Badge tone="warn">{t('errors', { count: run.error_count })}</Badge>}
          {run.undone_at !== null && <span className="muted">{t('undone', { when: format.ago(run.undone_at) })}</span>}
          {linked && (
            <Link to="/settings/logs-imports-parcours/$id" params={{ id: String(run.id) }}>
              {t(mode === 'dry' ? 'run.changes' : 'run.open')}
            </Link>
          )}
        </>
      }
    >
      <ul className={classes['counts']}>
        {outcomes
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <li key={outcome} data-outcome={outcome}>
              <strong className="num">{format.number(counts[outcome])}</strong>{' '}
              {mode === 'dry' && (outcome === 'created' || outcome === 'updated')
                ? t(`wouldBe.${outcome}`)
                : t(`tally.${outcome}`, { count: counts[outcome] })}
            </li>
          ))}
        {counts.pois > 0 && (
          <li>
            <strong className="num">{format.number(counts.pois)}</strong> {t('tally.pois', { count: counts.pois })}
          </li>
        )}
        {counts.contacts > 0 && (
          <li>
            <strong className="num">{format.number(counts.contacts)}</strong> {t('tally.contacts', { count: counts.contacts })}
          </li>
        )}
        {counts.unreliable > 0 && (
          <li>
            <strong className="num">{format.number(counts.unreliable)}</strong> {t('outcome.unreliable', { threshold: threshold() })}
          </li>
        )}
      </ul>
    </RunState>
  )
}

interface StartProps {
  source: number
  running: boolean
  /** Other labels for the two buttons. */
  dryLabel?: string
  startLabel?: string
}

/** Starts a run of a source: a dry run, or a real one. */
export function Start({ source, running, dryLabel, startLabel }: StartProps) {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const start = useMutation({
    mutationFn: (dry: boolean) => startRun(source, dry),
    onSuccess: async (run) => {
      toast({ text: t(run.mode === 'dry' ? 'run.startedDry' : 'run.started') })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  const reason = running ? { disabledReason: t('errors:import/running') } : {}
  return (
    <div className={classes['actions']}>
      <Button size="small" look="ghost" busy={start.isPending} {...reason} onClick={() => start.mutate(true)}>
        {dryLabel ?? t('run.dry')}
      </Button>
      <Button size="small" look="soft" busy={start.isPending} {...reason} onClick={() => start.mutate(false)}>
        {startLabel ?? t('run.start')}
      </Button>
    </div>
  )
}

/** Stops a run, retries its refused items, or undoes it. */
export function RunActions({ run }: { run: ImportRun }) {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const act = useMutation({
    mutationFn: (action: 'cancellation' | 'retry' | 'undo') => actOnRun(run.id, action),
    onSuccess: () => refresh(cache),
    onError: (error) => toastError(problemText(error)),
    onSettled: () => setAsking(false),
  })
  return (
    <div className={classes['actions']}>
      {run.state === 'running' && (
        <Button size="small" busy={act.isPending || run.cancelling} onClick={() => act.mutate('cancellation')}>
          {t('run.cancel')}
        </Button>
      )}
      {run.state !== 'running' && run.counts.refused > 0 && run.mode !== 'dry' && (
        <Button size="small" busy={act.isPending} onClick={() => act.mutate('retry')}>
          {t('run.retry')}
        </Button>
      )}
      {run.undoable && (
        <Button size="small" look="ghost" onClick={() => setAsking(true)}>
          {t('run.undo')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('run.undoAsk')}
        confirm={t('run.undo')}
        dismiss={t('run.undoDismiss')}
        danger
        onConfirm={() => act.mutateAsync('undo').catch(() => undefined)}
      >
        <p>{t('run.undoText')}</p>
      </ConfirmDialog>
    </div>
  )
}

/** A run with what can be done about it. */
export function RunBox({ run, as: Tag = 'div' }: { run: ImportRun; as?: 'div' | 'li' }) {
  return (
    <Tag className={classes['last']}>
      <Run run={run} />
      <RunActions run={run} />
    </Tag>
  )
}
