import type { ReactNode } from 'react'
import { Badge, type Tone } from '@/ui/badge/Badge'
import { Progress } from '@/ui/feedback/Progress'
import { format } from '@/ui/format'
import classes from './source.module.css'

/** The tone of a run's state. */
export const runTones = { running: 'info', done: 'ok', failed: 'danger', cancelled: 'neutral' } as const satisfies Record<string, Tone>

export interface RunStateProps {
  run: { state: keyof typeof runTones; started_at: string; done: number; total: number | null }
  /** Its state in words. */
  state: string
  /** Between its state and its date. */
  mode?: ReactNode
  /** The user who asked for it. */
  by: string
  /** What it does now. */
  doing: string
  /** Why it failed. */
  failure: string | null
  /** After its date. */
  facts?: ReactNode
  /** What it did. */
  children: ReactNode
}

/** The progress of a run, or its result. */
export function RunState({ run, state, mode, by, doing, failure, facts, children }: RunStateProps) {
  const running = run.state === 'running'
  return (
    <div className={classes['run']} aria-busy={running}>
      <p className={classes['facts']}>
        <Badge tone={runTones[run.state]}>{state}</Badge>
        {mode}
        <span className="muted" title={format.instant(run.started_at)}>
          {format.ago(run.started_at)} {by}
        </span>
        {facts}
      </p>
      {running && (
        <Progress total={run.total} done={run.done}>
          {doing}
        </Progress>
      )}
      {failure !== null && <p className={classes['failure']}>{failure}</p>}
      {children}
    </div>
  )
}
