import { lazy, Suspense, useState, type ReactNode } from 'react'
import { ahead } from '@/ui/ahead'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** The buttons, main one last. */
  actions?: ReactNode
  /** It may only be left by one of its buttons. */
  mustAnswer?: boolean
  /** At the right edge, with what it is about in sight beside it. */
  beside?: boolean
  children?: ReactNode
}

const Box = lazy(ahead(() => import('./DialogBox')))

/** A dialog. What draws it comes apart, before the first one opens. */
export function Dialog(props: DialogProps) {
  // Once opened it stays: its closing is shown, and focus comes back.
  const [used, setUsed] = useState(props.opened)
  if (props.opened && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense fallback={null}>
      <Box {...props} />
    </Suspense>
  )
}
