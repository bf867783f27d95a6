import { Popover } from '@mantine/core'
import { cloneElement } from 'react'
import type { PopoverButtonProps } from './PopoverButton'
import { useOpenedAtOnce } from './useOpenedAtOnce'

/** The small window of a button that was pressed: open. */
export default function PopoverBox({ button, label, className, children, ...look }: PopoverButtonProps) {
  const { target, opened, setOpened } = useOpenedAtOnce()
  return (
    <Popover {...look} shadow="md" zIndex={300} radius={10} trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>{cloneElement(button, { ref: target, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown className={className ?? ''} aria-label={label}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
