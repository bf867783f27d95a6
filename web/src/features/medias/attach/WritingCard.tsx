import { Link, type LinkProps } from '@tanstack/react-router'
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

/** The writing while it runs, then what it changed and which records refused. */
export function WritingCard({ run, onStop, onUndo }: WritingCardProps) {
  const { t } = useTranslation('attach')
  const { does, total, outcomes, isRunning } = run
  if (isRunning)
    return (
      <Card title={t('result')}>
        <div className={classes['running']}>
          <Progress total={total} done={outcomes.length}>
            {t(does === 'attach' ? 'writing' : 'undoing', { done: outcomes.length, total })}
          </Progress>
          <Button onClick={onStop}>{t('stop')}</Button>
        </div>
        <p className="small muted">{t('stopHint')}</p>
      </Card>
    )
  const written = outcomes.flatMap((outcome) => (outcome.state === 'written' ? [outcome] : []))
  const photos = written.reduce((sum, { changed }) => sum + changed.length, 0)
  const left = total - outcomes.length
  return (
    <Card title={t('result')}>
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
          {written.length === 0
            ? t('writtenNone')
            : does === 'detach'
              ? t('undone', { count: written.length })
              : `${t('written', {
                  photos: t('writtenPhotos', { count: photos }),
                  records: t('writtenRecords', { count: written.length }),
                })} ${t('history')}`}
        </Banner>
        {left > 0 && <Banner tone="warn">{t('stopped', { count: left })}</Banner>}
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
    </Card>
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
