import { Menu } from '@mantine/core'
import type { MenuBoxProps, MenuEntry } from './MenuButton'
import { RefusedItem } from './MenuItem'
import { PlaceOf } from './useOpening'

/** The menu of a button. */
export default function MenuBox({ opening, entries, className, ...look }: MenuBoxProps) {
  const { id, opened, setOpened } = opening
  return (
    <Menu {...look} id={id} shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <PlaceOf button={id} />
      </Menu.Target>
      <Menu.Dropdown className={className ?? ''}>
        {entries().map((entry, index) => entry !== false && <Entry key={index} entry={entry} />)}
      </Menu.Dropdown>
    </Menu>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'divider') return <Menu.Divider />
  if ('heading' in entry) return <Menu.Label>{entry.heading}</Menu.Label>
  const { label, onSelect, download, left, right, current, disabled = false, title, ...rest } = entry
  const shared = { ...rest, leftSection: left, rightSection: right, 'aria-current': current === true || undefined } as const
  if (download !== undefined)
    return (
      <Menu.Item component="a" href={download} download title={title} {...shared}>
        {label}
      </Menu.Item>
    )
  if (disabled)
    return (
      <RefusedItem reason={title} {...shared}>
        {label}
      </RefusedItem>
    )
  return (
    <Menu.Item onClick={onSelect} title={title} {...shared}>
      {label}
    </Menu.Item>
  )
}
