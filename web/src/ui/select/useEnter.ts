import { useRef, type KeyboardEvent } from 'react'

/**
 * Enter in a list that is searched: it takes what the arrows are on, or the first that was found by typing where `mayTake`. Else it
 * does nothing: no chosen record is taken away or replaced by it. While the list is `late`, that of earlier words, it does nothing at all.
 */
export function useEnter(mayTake: boolean, late = false) {
  const moved = useRef(false)
  const begin = () => {
    moved.current = false
  }
  return {
    selectFirstOptionOnChange: mayTake,
    onFocusCapture: begin,
    onInputCapture: begin,
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') moved.current = true
      if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-expanded') !== 'true') return
      if (late || !(moved.current || mayTake)) {
        event.preventDefault()
        event.stopPropagation()
      } else moved.current = false
    },
  }
}
