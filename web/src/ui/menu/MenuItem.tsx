import { Menu } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { toastError } from '@/ui/feedback/toast'
import classes from './MenuItem.module.css'

interface RefusedItemProps {
  /** Why it cannot be chosen: read with the entry, and shown when it is pressed. */
  reason: string | undefined
  leftSection?: ReactNode
  rightSection?: ReactNode
  'aria-current'?: true | undefined
  lang?: string | undefined
  children: ReactNode
}

/** An entry that cannot be chosen. Unlike the disabled item of Mantine it takes the focus, so that its reason is read. */
export function RefusedItem({ reason, ...item }: RefusedItemProps) {
  return (
    <Menu.Item
      component={RefusedButton}
      className={classes['refused'] ?? ''}
      title={reason}
      onClick={() => reason !== undefined && toastError(reason)}
      {...item}
    />
  )
}

function RefusedButton(props: ComponentProps<'button'>) {
  return <button {...props} type="button" aria-disabled />
}

interface MenuItemProps {
  /** Why it cannot be chosen; without one it can. */
  reason: string | undefined
  /** Nothing to do at this moment, which needs no reason: for example « Monter » at the top. */
  disabled?: boolean
  leftSection?: ReactNode
  onClick: (() => void) | undefined
  children: ReactNode
}

/** An entry of a menu that some users are refused. */
export function MenuItem({ reason, disabled = false, onClick, ...item }: MenuItemProps) {
  if (reason !== undefined) return <RefusedItem reason={reason} {...item} />
  return <Menu.Item disabled={disabled} onClick={onClick} {...item} />
}
