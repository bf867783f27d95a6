import { useMemo, useRef } from 'react'

/** For a field that is replaced by another one: waits until a letter of several keys (a dead key) is complete, since replacing the field would lose it. */
export function useComposing(): { whenWhole: (run: () => void) => void; onCompositionStart: () => void; onCompositionEnd: () => void } {
  const state = useRef<{ composing: boolean; waiting: (() => void) | null }>({ composing: false, waiting: null })
  return useMemo(
    () => ({
      whenWhole: (run) => {
        if (state.current.composing) state.current.waiting = run
        else run()
      },
      onCompositionStart: () => {
        state.current.composing = true
      },
      onCompositionEnd: () => {
        state.current.composing = false
        const run = state.current.waiting
        state.current.waiting = null
        // After the browser has written the letter.
        if (run !== null) setTimeout(run)
      },
    }),
    [],
  )
}
