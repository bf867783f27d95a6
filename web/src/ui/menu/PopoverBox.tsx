import { Popover } from '@mantine/core'
import type { PopoverBoxProps } from './PopoverButton'
import { PlaceOf } from './useOpening'

/** The small window of a button. */
export default function PopoverBox({ opening, label, className, children, ...look }: PopoverBoxProps) {
  const { id, opened, setOpened } = opening
  return (
    <Popover {...look} id={id} shadow="md" zIndex={300} radius={10} trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <PlaceOf button={id} />
      </Popover.Target>
      <Popover.Dropdown className={className ?? ''} aria-label={label}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
