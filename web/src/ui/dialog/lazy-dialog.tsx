import { useEffect, useState, type ComponentType } from 'react'
import { translate } from '@/i18n'
import { closeToast, toastError } from '@/ui/feedback/toast'
import { useLatest } from '@/ui/useLatest'

interface Closable {
  onClose: () => void
  /** For a dialog that stays rendered while it is closed; one that is rendered is open by default. */
  opened?: boolean
}

/**
 * A dialog whose code is fetched when it opens. Where it cannot be fetched, a message says so and the dialog counts as closed: the page
 * stays, and the next press fetches it again; the message goes away once the code is there.
 */
export function lazyDialog<P extends Closable>(read: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let fetched: ComponentType<P> | null = null
  let message: number | null = null
  return function LazyDialog(props: P) {
    const [Dialog, setDialog] = useState(() => fetched)
    const close = useLatest(props.onClose)
    const isWanted = Dialog === null && props.opened !== false
    useEffect(() => {
      if (!isWanted) return undefined
      let isOpen = true
      // With the frame of dialogs, which is fetched apart.
      Promise.all([read(), import('./DialogBox')]).then(
        ([part]) => {
          fetched = part.default
          if (message !== null) closeToast(message)
          message = null
          if (isOpen) setDialog(() => part.default)
        },
        () => {
          if (!isOpen) return
          message = toastError(translate('notOpened'))
          close()
        },
      )
      return () => {
        isOpen = false
      }
    }, [isWanted, close])
    return Dialog === null ? null : <Dialog {...props} />
  }
}
