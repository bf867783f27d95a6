import type { ReactNode } from 'react'
import { prefetch } from '@/ui/prefetch'
import { useOpening, type Opening, type OpeningButton } from './useOpening'

export interface MenuAction {
  label: ReactNode
  onSelect?: () => void
  /** The address of the file that the entry downloads. */
  download?: string
  disabled?: boolean
  /** Why it cannot be chosen: read with the entry, and shown when it is pressed. */
  title?: string | undefined
  left?: ReactNode
  right?: ReactNode
  /** Whether the entry is the current choice. */
  current?: boolean
  lang?: string
}
export type MenuEntry = MenuAction | { heading: ReactNode } | 'divider'

export interface MenuBoxProps {
  opening: Opening
  /** Called when the menu is rendered. */
  entries: () => readonly (MenuEntry | false)[]
  position: 'bottom-start' | 'bottom-end' | 'top'
  width?: number
  zIndex: number
  withinPortal?: boolean
  className?: string | undefined
}

const read = prefetch(() => import('./MenuBox'))

/** A button with its menu, whose code is fetched after the page and which is mounted when it is needed: a list has a hundred of them. */
export function MenuButton({ button: face, ...box }: Omit<MenuBoxProps, 'opening'> & { button: OpeningButton }) {
  const { module, button, opening } = useOpening(read, 'menu', face)
  return (
    <>
      {button}
      {module && <module.default {...box} opening={opening} />}
    </>
  )
}
