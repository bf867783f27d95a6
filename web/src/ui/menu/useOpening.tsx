import { cloneElement, useId, useImperativeHandle, useState, type ButtonHTMLAttributes, type ReactElement, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { translate } from '@/i18n'
import { closeToast, toastError } from '@/ui/feedback/toast'

/** A button that opens something: the attributes it is given are passed on to the element. */
export type OpeningButton = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>

/** A button, by its id, and whether what it opens is open. */
export interface Opening {
  id: string
  opened: boolean
  setOpened: (opened: boolean) => void
}

/**
 * For what a button opens and whose code is large. It is fetched at the first movement (`prefetch`), and mounted, closed, when the pointer or
 * the focus comes to the button: the press only opens it. A press that comes before is not lost. The button stays the same element throughout.
 */
export function useOpening<M extends object>(read: () => Promise<M>, popup: 'menu' | 'dialog', face: OpeningButton) {
  const id = useId()
  const [module, setModule] = useState<M | null>(null)
  const [opened, setOpened] = useState(false)
  const [message, setMessage] = useState<number | null>(null)
  const take = (found: M) => {
    if (message !== null) closeToast(message)
    setMessage(null)
    setModule(found)
  }
  const mount = () => {
    // What fails here fails again, and is reported, at the press.
    if (module === null) read().then(take, () => undefined)
  }
  const press = () => {
    if (module !== null) return setOpened(!opened)
    read().then(
      (found) => {
        // Opened after it was mounted: on closing it gives the focus back to what had it at that moment.
        flushSync(() => take(found))
        setOpened(true)
      },
      () => setMessage(toastError(translate('notOpened'))),
    )
  }
  const button = cloneElement(face, {
    id,
    'aria-haspopup': popup,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    onPointerEnter: mount,
    onFocus: mount,
    onClick: press,
  })
  const opening: Opening = { id, opened, setOpened }
  return { module, button, opening }
}

/** In the place of the button inside Mantine's components: what opens is placed by the button, which is in the document already. */
export function PlaceOf({ button, ref }: { button: string; ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => document.getElementById(button), [button])
  return null
}
