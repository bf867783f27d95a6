import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ProblemError } from '@/api/problem'
import { useTranslation } from '@/i18n'
import { faultText, problemText } from '@/records/problem-text'
import { placeOf } from '@/records/resource/kinds'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Progress } from '@/ui/feedback/Progress'
import { format, textOf } from '@/ui/format'
import classes from './attach.module.css'
import type { Run } from './useWriting'
import type { Outcome } from './write'

interface WritingCardProps {
  run: Run
  onStop: () => void
  onUndo: (run: Run) => void
}

/** The writing while it runs, then what it changed and which records refused. It gets the focus when it begins. */
export function WritingCard({ run, onStop, onUndo }: WritingCardProps) {
  const { t } = useTranslation('attach')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // At the end the button that stops is gone: the focus it had stays in the card.
    if (run.isRunning || document.activeElement === document.body) place.current?.focus()
  }, [run.isRunning])
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={t('result')} className={classes['writing']}>
      <Card title={t('result')}>{run.isRunning ? <Running run={run} onStop={onStop} /> : <Result run={run} onUndo={onUndo} />}</Card>
    </div>
  )
}

function Running({ run: { does, total, outcomes }, onStop }: Pick<WritingCardProps, 'run' | 'onStop'>) {
  const { t } = useTranslation('attach')
  return (
    <>
      <div className={classes['running']}>
        <Progress total={total} done={outcomes.length}>
          {t(does === 'attach' ? 'writing' : 'undoing', { done: outcomes.length, total })}
        </Progress>
        <Button onClick={onStop}>{t('stop')}</Button>
      </div>
      <p className="small muted">{t('stopHint')}</p>
    </>
  )
}

function Result({ run, onUndo }: Pick<WritingCardProps, 'run' | 'onUndo'>) {
  const { t } = useTranslation('attach')
  const { does, total, outcomes } = run
  const written = outcomes.flatMap((outcome) => (outcome.state === 'written' ? [outcome] : []))
  const photos = written.reduce((sum, { changed }) => sum + changed.length, 0)
  const left = total - outcomes.length
  const words = () => {
    if (written.length === 0) return t('writtenNone')
    if (does === 'detach') return t('undone', { count: written.length })
    const counts = { photos: t('writtenPhotos', { count: photos }), records: t('writtenRecords', { count: written.length }) }
    return `${t('written', counts)} ${t('history')}`
  }
  return (
    <div className={classes['result']}>
      <Banner
        tone={written.length > 0 ? 'ok' : 'info'}
        live="status"
        actions={
          does === 'attach' &&
          written.length > 0 && (
            <Button size="small" onClick={() => onUndo(run)}>
              {t('undo')}
            </Button>
          )
        }
      >
        {words()}
      </Banner>
      {left > 0 && <Banner tone="warn">{t(does === 'attach' ? 'stopped' : 'undoStopped', { count: left })}</Banner>}
      <Refusals run={run} />
      {written.length > 0 && (
        <details>
          <summary>{t('writtenList')}</summary>
          <ul className={classes['list']}>
            {written.map((outcome) => (
              <li key={outcome.task.id}>
                <RecordLink run={run} outcome={outcome} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** One sentence for each record that refused. */
function Refusals({ run }: { run: Run }) {
  const { t } = useTranslation('attach')
  const refused = run.outcomes.flatMap((outcome) => (outcome.state === 'refused' ? [outcome] : []))
  if (refused.length === 0) return null
  return (
    <Banner tone="danger" live="alert">
      {t('refused', { count: refused.length })}
      <ul className={classes['list']}>
        {refused.map((outcome) => (
          <li key={outcome.task.id}>
            <RecordLink run={run} outcome={outcome} />
            {`${format.colon()}${why(outcome.problem)}`}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

/** The faults of the fields, where the server names them, else the refusal itself. */
const why = (problem: unknown): string => {
  const faults = problem instanceof ProblemError && problem.status === 422 ? problem.faults : []
  return faults.length === 0 ? problemText(problem) : faults.map((fault) => faultText(fault)).join(' ')
}

function RecordLink({ run: { kind }, outcome: { task, title } }: { run: Run; outcome: Outcome }) {
  const { t } = useTranslation('attach')
  return <Link {...({ to: placeOf(kind, task.id) } as LinkProps)}>{textOf(title, t('recordNumber', { id: task.id }))}</Link>
}
