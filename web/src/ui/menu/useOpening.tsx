import {
  cloneElement,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ButtonHTMLAttributes,
  type ReactElement,
  type Ref,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'
import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'

/** A button that opens something: the attributes it is given are passed on to the element. */
export type OpeningButton = ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }>

/** A button and whether what it opens is open. */
export interface Opening {
  id: string
  target: RefObject<HTMLButtonElement | null>
  opened: boolean
  setOpened: (opened: boolean) => void
}

/**
 * For what a button opens and whose code is large. It is fetched at the first movement (`prefetch`), and mounted, closed, when the pointer or
 * the focus comes to the button: the press only opens it. A press that comes before is not lost. The button stays the same element throughout.
 */
export function useOpening<M extends object>(read: () => Promise<M>, popup: 'menu' | 'dialog', face: OpeningButton) {
  const id = useId()
  const target = useRef<HTMLButtonElement>(null)
  const [module, setModule] = useState<M | null>(null)
  const [opened, setOpened] = useState(false)
  const mount = () => {
    // What fails here fails again, and is reported, at the press.
    if (module === null) read().then(setModule, () => undefined)
  }
  const press = () => {
    if (module !== null) return setOpened(!opened)
    read().then(
      (found) => {
        // Opened after it was mounted: on closing it gives the focus back to what had it at that moment.
        flushSync(() => setModule(found))
        setOpened(true)
      },
      () => toastError(translate('form.notFetched')),
    )
  }
  const button = cloneElement(face, {
    id,
    ref: target,
    'aria-haspopup': popup,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    onPointerEnter: mount,
    onFocus: mount,
    onClick: press,
  })
  const opening: Opening = { id, target, opened, setOpened }
  return { module, button, opening }
}

/** In the place of the button inside Mantine's components: what opens is placed by the button, which is in the document already. */
export function PlaceOf({ target, ref }: { target: Opening['target']; ref?: Ref<HTMLButtonElement | null> }) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => target.current, [target])
  return null
}
