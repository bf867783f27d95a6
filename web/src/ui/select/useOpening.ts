import { useEffect, useRef, useState } from 'react'
import { translate } from '@/i18n'
import { closeToast, toastError } from '@/ui/feedback/toast'
import { useComposing } from '@/ui/field/useComposing'

/** The handlers of the placeholder of a select: hover, focus and typing. */
export interface Closed {
  typed: string | null
  setTyped: (text: string | null) => void
  prefetch: () => void
  open: () => void
  /** A letter of several keys (an accent by a dead key) begins and ends. */
  composition: { onCompositionStart: () => void; onCompositionEnd: () => void }
}

/** For a select whose list is large: a placeholder is shown until the user focuses it, then the select is fetched and gets the focus and the typed text. */
export function useOpening<M>(read: () => Promise<M>, id: string): { module: M | null; closed: Closed } {
  const [module, setModule] = useState<M | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const left = useRef<{ focused: boolean; typed: string | null }>({ focused: false, typed: null })
  const message = useRef<number | null>(null)
  const { whenWhole, ...composition } = useComposing()
  useEffect(() => {
    left.current.typed = typed
  }, [typed])
  useEffect(() => {
    // A field for several values has a frame with the same id.
    const input = document.querySelector<HTMLInputElement>(`input[id=${JSON.stringify(id)}]`)
    if (module === null || !left.current.focused || input === null) return
    left.current.focused = false
    input.focus({ preventScroll: true })
    if (left.current.typed !== null) write(input, left.current.typed)
  }, [module, id])
  const open = () => {
    read().then(
      (found) =>
        whenWhole(() => {
          left.current.focused = document.activeElement?.id === id
          if (message.current !== null) closeToast(message.current)
          message.current = null
          setModule(found)
        }),
      () => {
        message.current = toastError(translate('form.notFetched'))
      },
    )
  }
  return { module, closed: { typed, setTyped, prefetch: () => void read().catch(() => undefined), open, composition } }
}

/** Writes a text as if it were typed: a controlled input of React reacts only to the native setter and an `input` event. */
function write(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}
