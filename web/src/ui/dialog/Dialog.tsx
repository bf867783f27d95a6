import { lazy, Suspense, useState, type ReactNode } from 'react'
import { prefetch } from '@/ui/prefetch'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** The buttons, main one last. */
  actions?: ReactNode
  /** The dialog can only be closed by one of its buttons. */
  mustAnswer?: boolean
  /** At the right edge; the page stays visible beside it. */
  beside?: boolean
  children?: ReactNode
}

const Box = lazy(prefetch(() => import('./DialogBox')))

/** A dialog. Its code is fetched after the page, before the first dialog opens. */
export function Dialog(props: DialogProps) {
  // It stays rendered after the first opening, so that its closing is animated and focus returns.
  const [used, setUsed] = useState(props.opened)
  if (props.opened && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense fallback={null}>
      <Box {...props} />
    </Suspense>
  )
}
