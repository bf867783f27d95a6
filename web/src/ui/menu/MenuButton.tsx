import { cloneElement, type ButtonHTMLAttributes, type ReactElement, type ReactNode, type Ref } from 'react'
import { prefetch } from '@/ui/prefetch'
import { useLater } from './useLater'

/** A button that opens something: the attributes it is given are passed on to the element. */
export type OpeningButton = ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }>

export interface MenuAction {
  label: ReactNode
  onSelect?: () => void
  /** Where it leads to, outside of the application: a file. */
  download?: string
  disabled?: boolean
  /** Why it cannot be chosen. */
  title?: string | undefined
  left?: ReactNode
  right?: ReactNode
  /** The one in force. */
  current?: boolean
  lang?: string
}
export type MenuEntry = MenuAction | { heading: ReactNode } | 'divider'

export interface MenuButtonProps {
  button: OpeningButton
  /** Asked for when the menu is opened. */
  entries: () => readonly (MenuEntry | false)[]
  position: 'bottom-start' | 'bottom-end'
  width?: number
  zIndex: number
  withinPortal?: boolean
  className?: string | undefined
}

const read = prefetch(() => import('./MenuBox'))

/** A button with its menu, whose code is fetched after the page: a list has a hundred of them. */
export function MenuButton(props: MenuButtonProps) {
  const { module, open } = useLater(read)
  if (module !== null) return <module.default {...props} />
  return closedMenu(props.button, open)
}

/** The button of a menu that was never opened. */
export const closedMenu = (button: OpeningButton, open: () => void): OpeningButton =>
  cloneElement(button, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: open })
