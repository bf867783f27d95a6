import { useEffect, useRef, type KeyboardEvent as ReactKeyboardEvent } from 'react'

/**
 * Enter in a list that is searched: it takes what the arrows are on, or the first that was found by typing where `mayTake`. Else it
 * does nothing: no chosen record is taken away or replaced by it. While the list is `late`, that of earlier words, Enter is remembered:
 * it takes the first entry once the list of exactly this text is there, unless the text changes, the focus leaves, or another key is pressed.
 */
export function useEnter(mayTake: boolean, late = false) {
  const moved = useRef(false)
  /** The field in which Enter was pressed while the list was late, and its text at that moment. */
  const pressed = useRef<{ input: HTMLInputElement; text: string } | null>(null)
  const begin = () => {
    moved.current = false
    pressed.current = null
  }
  useEffect(() => {
    const press = pressed.current
    if (late || press === null) return
    pressed.current = null
    if (!mayTake || press.input.value !== press.text || document.activeElement !== press.input) return
    // The key goes the way of a real press. An event made by a script submits no form.
    press.input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }))
  }, [late, mayTake])
  return {
    selectFirstOptionOnChange: mayTake,
    onFocusCapture: begin,
    onBlurCapture: begin,
    onInputCapture: begin,
    onKeyDownCapture: (event: ReactKeyboardEvent) => {
      // A modifier alone changes nothing; every other key is a new decision (an arrow, Escape).
      if (!['Enter', 'Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) pressed.current = null
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') moved.current = true
      if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-expanded') !== 'true') return
      if (late || !(moved.current || mayTake)) {
        event.preventDefault()
        event.stopPropagation()
        const input = event.currentTarget
        // Enter that ends a letter of several keys takes nothing (229: in Safari it comes after the letter).
        const isComposing = event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229
        if (late && !moved.current && !isComposing && input instanceof HTMLInputElement) pressed.current = { input, text: input.value }
      } else moved.current = false
    },
  }
}
