import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Kind } from './match'
import { recordsOf, sources } from './records'
import { attach, changeAll, detach, type Outcome, type Task } from './write'

/** One run over records: what it does, its progress, and the outcome of each record. */
export interface Run {
  kind: Kind
  does: 'attach' | 'detach'
  total: number
  outcomes: readonly Outcome[]
  isRunning: boolean
}

/** Attaches media files to records, or detaches them, one record after the other. Stops when the page is left. */
export function useWriting() {
  const cache = useQueryClient()
  const [run, setRun] = useState<Run | null>(null)
  const stopped = useRef(false)
  const isRunning = run?.isRunning ?? false
  useEffect(() => {
    stopped.current = false
    return () => {
      stopped.current = true
    }
  }, [])
  useEffect(() => {
    if (!isRunning) return undefined
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isRunning])
  const start = async (kind: Kind, does: Run['does'], tasks: readonly Task[]) => {
    stopped.current = false
    setRun({ kind, does, total: tasks.length, outcomes: [], isRunning: true })
    await changeAll(recordsOf(kind), tasks, does === 'attach' ? attach : detach, {
      isStopped: () => stopped.current,
      onOutcome: (outcome) => setRun((before) => before && { ...before, outcomes: [...before.outcomes, outcome] }),
    })
    setRun((before) => before && { ...before, isRunning: false })
    await Promise.all([sources[kind].queryKey, ['media']].map((queryKey) => cache.invalidateQueries({ queryKey })))
  }
  return {
    run,
    isRunning,
    attach: (kind: Kind, tasks: readonly Task[]) => void start(kind, 'attach', tasks),
    /** Takes away what a run added. */
    undo: ({ kind, outcomes }: Run) =>
      void start(
        kind,
        'detach',
        outcomes.flatMap((outcome) => (outcome.state === 'written' ? [{ id: outcome.task.id, mediaIds: outcome.changed }] : [])),
      ),
    stop: () => {
      stopped.current = true
    },
  }
}
