import { useEffect, useRef } from 'react'
import { ProblemError } from '@/api/problem'
import { useMe } from '@/api/session'

/** Why a request was refused, if the session or the network was missing; undefined for any other refusal. */
function causeOf(problem: unknown): 'session' | 'network' | undefined {
  if (!(problem instanceof ProblemError)) return undefined
  if (problem.status === 401) return 'session'
  return problem.code === 'connection' ? 'network' : undefined
}

/** Calls `clear` for a refusal once the user has signed in again or the network is back. The request is not repeated here. */
export function useCauseGone(problem: unknown, clear: () => void): void {
  const { session_expires_at: session } = useMe()
  const cause = causeOf(problem)
  const latest = useRef(clear)
  useEffect(() => {
    latest.current = clear
  })
  const refusedIn = useRef(session)
  useEffect(() => {
    if (cause === 'session' && refusedIn.current !== session) latest.current()
    refusedIn.current = session
  }, [cause, session])
  useEffect(() => {
    if (cause !== 'network') return undefined
    const back = () => latest.current()
    window.addEventListener('online', back)
    return () => window.removeEventListener('online', back)
  }, [cause])
}
