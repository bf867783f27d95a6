import type { KeyboardEvent } from 'react'
import classes from './tabs.module.css'

interface PanelTabsProps<Tab extends string> {
  label: string
  tabs: readonly { readonly key: Tab; readonly label: string }[]
  tab: Tab
  onTab: (tab: Tab) => void
  /** The id of the panel, and the prefix of the ids of the tabs. */
  id: string
}

/** A row of tabs over a panel of the editor: arrows go from one to the next. */
export function PanelTabs<Tab extends string>({ label, tabs, tab, onTab, id }: PanelTabsProps<Tab>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = by === undefined ? undefined : tabs[(tabs.findIndex((one) => one.key === tab) + by + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onTab(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    <div className={classes['tabs']} role="tablist" aria-label={label}>
      {tabs.map(({ key, label: words }) => (
        <button
          key={key}
          id={`${id}-${key}`}
          type="button"
          role="tab"
          aria-selected={key === tab}
          aria-controls={id}
          tabIndex={key === tab ? 0 : -1}
          onClick={() => onTab(key)}
          onKeyDown={onKeyDown}
        >
          {words}
        </button>
      ))}
    </div>
  )
}
