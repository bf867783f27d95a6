import { useEffect, useRef, useState } from 'react'
import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import { useComposing } from './useComposing'

/** What a field that is still closed does when somebody comes near, comes to it, and types. */
export interface Closed {
  typed: string | null
  setTyped: (text: string | null) => void
  prefetch: () => void
  open: () => void
  /** A letter of several keys (an accent by a dead key) is begun, is whole. */
  composition: { onCompositionStart: () => void; onCompositionEnd: () => void }
}

/** A field whose list weighs more than itself: shown closed until somebody comes, then fetched, the focus and what was typed kept. */
export function useOpening<M>(read: () => Promise<M>, id: string): { module: M | null; closed: Closed } {
  const [module, setModule] = useState<M | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const left = useRef<{ focused: boolean; typed: string | null }>({ focused: false, typed: null })
  const { whenWhole, ...composition } = useComposing()
  useEffect(() => {
    left.current.typed = typed
  }, [typed])
  useEffect(() => {
    // Of several chosen ones, the frame has the same id as the field.
    const input = document.querySelector<HTMLInputElement>(`input#${CSS.escape(id)}`)
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
          setModule(found)
        }),
      () => toastError(translate('form.notFetched')),
    )
  }
  return { module, closed: { typed, setTyped, prefetch: () => void read().catch(() => undefined), open, composition } }
}

/** As if it were typed there: an input that React leads hears only its own setter and event. */
function write(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}
