import { useCallback, useMemo, useRef, useState } from 'react'
import type { Position } from '@/api/types'
import { useEditor } from '../editor/context'
import { present } from '../editor/state'
import { type Ghost, ghostEnds } from '../logic/ghost'

/** The planner is not asked more often than this while a hand moves. */
const ASK_EVERY_MS = 120

/** The preview line during a drag: straight at once, along the network as soon as the planner has answered. */
export interface GhostLines {
  readonly straight: readonly Position[][]
  readonly planned: readonly Position[][]
}

export const noGhost: GhostLines = { straight: [], planned: [] }

/** Shows and clears the ghost. `track` is called at each move, `clear` at the end. */
export function useGhost() {
  const editor = useEditor()
  const [lines, setLines] = useState<GhostLines>(noGhost)
  const request = useRef<{ stop: AbortController; at: number } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const stop = useCallback(() => {
    request.current?.stop.abort()
    clearTimeout(timer.current)
    request.current = null
  }, [])

  const ask = useCallback(
    (ends: Ghost, place: Position) => {
      const current = { stop: new AbortController(), at: performance.now() }
      request.current?.stop.abort()
      request.current = current
      const parts = [...(ends.from ? [[ends.from, place] as const] : []), ...(ends.to ? [[place, ends.to] as const] : [])]
      Promise.all(parts.map(([from, to]) => editor.ghostLine(from, to, current.stop.signal))).then(
        (planned) => request.current === current && setLines((before) => ({ ...before, planned })),
        // A refusal is shown when the point is dropped; the straight ghost is enough until then.
        () => undefined,
      )
    },
    [editor],
  )

  const track = useCallback(
    (atM: number, place: Position, free: boolean) => {
      const revision = present(editor.get())
      const ends = ghostEnds(revision, atM, place)
      const straight = [[...(ends.from ? [ends.from] : []), place, ...(ends.to ? [ends.to] : [])]]
      setLines((before) => ({ straight, planned: free || ends.free ? [] : before.planned }))
      if (free || ends.free) return stop()
      clearTimeout(timer.current)
      const wait = Math.max(0, ASK_EVERY_MS - (performance.now() - (request.current?.at ?? 0)))
      timer.current = setTimeout(() => ask(ends, place), wait)
    },
    [editor, ask, stop],
  )

  const clear = useCallback(() => {
    stop()
    setLines(noGhost)
  }, [stop])

  return useMemo(() => ({ lines, track, clear }), [lines, track, clear])
}

export type GhostHandle = ReturnType<typeof useGhost>
