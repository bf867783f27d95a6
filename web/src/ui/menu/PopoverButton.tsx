import type { ReactNode } from 'react'
import { prefetch } from '@/ui/prefetch'
import { useOpening, type Opening, type OpeningButton } from './useOpening'

export interface PopoverBoxProps {
  opening: Opening
  /** Its name for screen readers. */
  label: string
  position: 'bottom-start' | 'bottom-end'
  width: number
  withinPortal?: boolean
  className?: string | undefined
  /** Its content; `close` closes it. */
  children: (close: () => void) => ReactNode
}

const read = prefetch(() => import('./PopoverBox'))

/** A button with a small window, whose code is fetched after the page and which is mounted when it is needed. */
export function PopoverButton({ button: face, ...box }: Omit<PopoverBoxProps, 'opening'> & { button: OpeningButton }) {
  const { module, button, opening } = useOpening(read, 'dialog', face)
  return (
    <>
      {button}
      {module && <module.default {...box} opening={opening} />}
    </>
  )
}
