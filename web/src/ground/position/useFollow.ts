import { useEffect, useRef, useState } from 'react'
import type { MeasuredLine } from '@/records/map/line'
import { afterFix, quiet } from './alarm'
import { locate, type Fix, type OnLine } from './follow'
import { ring } from './ring'

export interface Followed {
  onLine: OnLine | null
  /** The alarm rang and the person is not back yet. */
  isOff: boolean
}

/** Finds each position on the line; while `alarmed`, rings when the person leaves it. */
export function useFollow(line: MeasuredLine, fix: Fix | null, alarmed: boolean): Followed {
  const [state, setState] = useState<Followed>({ onLine: null, isOff: false })
  const before = useRef<OnLine | null>(null)
  const alarm = useRef(quiet)
  useEffect(() => {
    if (fix === null) return
    const onLine = locate(line, fix, before.current)
    before.current = onLine
    if (!alarmed || onLine === null) alarm.current = quiet
    else {
      const after = afterFix(alarm.current, { offsetM: onLine.offsetM, accuracyM: fix.accuracyM, at: fix.at })
      alarm.current = after.alarm
      if (after.rings) ring()
    }
    setState({ onLine, isOff: alarm.current.rangAt !== null })
  }, [line, fix, alarmed])
  return state
}
