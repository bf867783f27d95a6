import { cloneElement, type ReactNode } from 'react'
import { prefetch } from '@/ui/prefetch'
import type { OpeningButton } from './MenuButton'
import { useLater } from './useLater'

export interface PopoverButtonProps {
  button: OpeningButton
  /** Its name, heard. */
  label: string
  position: 'bottom-start' | 'bottom-end'
  width: number
  withinPortal?: boolean
  className?: string | undefined
  /** What it holds; `close` closes it. */
  children: (close: () => void) => ReactNode
}

const read = prefetch(() => import('./PopoverBox'))

/** A button with a small window, whose code is fetched after the page. */
export function PopoverButton(props: PopoverButtonProps) {
  const { module, open } = useLater(read)
  if (module !== null) return <module.default {...props} />
  return cloneElement(props.button, { 'aria-haspopup': 'dialog', 'aria-expanded': false, onClick: open })
}
