import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState, type KeyboardEvent } from 'react'

/** The props for the input of the text. */
export interface DebouncedInput {
  value: string
  onChange: (text: string) => void
  onCompositionStart: () => void
  onCompositionEnd: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onBlur: () => void
}

interface State {
  text: string
  /** The value as it was last given from outside. */
  seen: string
  /** What was sent and has not come back yet, oldest first. */
  sent: readonly string[]
}

const asItIs = (text: string): string => text

/**
 * The text of an input whose value is kept elsewhere, for example in the address. The text is sent after a pause in typing; when the sent
 * value comes back, the input keeps what was typed since. A value that was changed elsewhere (another view, cleared
 * filters) replaces the text. Letters that are still being composed (dead keys) are not sent.
 */
export function useDebouncedText(
  value: string,
  send: (text: string) => void,
  pauseMs: number,
  clean: (text: string) => string = asItIs,
): DebouncedInput {
  const [state, setState] = useState<State>({ text: value, seen: value, sent: [] })
  const composing = useRef(false)
  if (state.seen !== value) {
    const back = state.sent.indexOf(value)
    setState(back === -1 ? { text: value, seen: value, sent: [] } : { ...state, seen: value, sent: state.sent.slice(back + 1) })
  }
  const later = useDebouncedCallback(() => {
    const words = clean(state.text)
    if (composing.current || words === (state.sent.at(-1) ?? state.seen)) return
    setState({ ...state, sent: [...state.sent, words] })
    send(words)
  }, pauseMs)
  return {
    value: state.text,
    onChange: (text) => {
      setState((before) => ({ ...before, text }))
      later()
    },
    onCompositionStart: () => {
      composing.current = true
    },
    onCompositionEnd: () => {
      composing.current = false
      later()
    },
    onKeyDown: ({ key }) => {
      if (key === 'Enter' || key === 'Escape') later.flush()
    },
    onBlur: () => later.flush(),
  }
}
