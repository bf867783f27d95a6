import { Menu } from '@mantine/core'
import { cloneElement } from 'react'
import type { MenuButtonProps, MenuEntry } from './MenuButton'
import { useOpenedAtOnce } from './useOpenedAtOnce'

/** The menu of a button that was pressed: open. */
export default function MenuBox({ button, entries, className, ...look }: MenuButtonProps) {
  const { target, opened, setOpened } = useOpenedAtOnce()
  return (
    <Menu {...look} shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown className={className ?? ''}>
        {entries().map((entry, index) => entry !== false && <Entry key={index} entry={entry} />)}
      </Menu.Dropdown>
    </Menu>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'divider') return <Menu.Divider />
  if ('heading' in entry) return <Menu.Label>{entry.heading}</Menu.Label>
  const { label, onSelect, download, left, right, current, disabled = false, ...rest } = entry
  const shared = { ...rest, leftSection: left, rightSection: right, 'aria-current': current === true || undefined } as const
  if (download !== undefined)
    return (
      <Menu.Item component="a" href={download} download {...shared}>
        {label}
      </Menu.Item>
    )
  return (
    <Menu.Item disabled={disabled} onClick={onSelect} {...shared}>
      {label}
    </Menu.Item>
  )
}
