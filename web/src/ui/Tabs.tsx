import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { Count } from './badge/Badge'
import type { PlaceLink } from './place-link'
import classes from './Tabs.module.css'

export interface TabLink {
  key: string
  label: ReactNode
  /** Beside the label: how many it holds, or how many fields are unsaved. */
  count?: ReactNode
  current: boolean
  link: PlaceLink
}

/**
 * Tabs that are addresses: each can be opened in a new tab, bookmarked, gone back to. `focused`: the tab that takes the focus once it is
 * there; `onFocused` then forgets it, so that it is not focused again later.
 */
export function Tabs({
  label,
  tabs,
  focused,
  onFocused,
  children,
}: {
  label: string
  tabs: readonly TabLink[]
  focused?: string | undefined
  onFocused?: () => void
  children?: ReactNode
}) {
  const strip = useRef<HTMLElement>(null)
  const here = tabs.find(({ current }) => current)?.key
  // On a narrow window the strip is wider than its visible part: the current tab is scrolled into view.
  useEffect(() => {
    const tab = here === undefined ? null : strip.current?.querySelector<HTMLElement>('[data-current]')
    if (tab && strip.current) strip.current.scrollLeft = tab.offsetLeft - (strip.current.clientWidth - tab.offsetWidth) / 2
  }, [here])
  const isThere = tabs.some(({ key }) => key === focused)
  useEffect(() => {
    if (focused === undefined || !isThere) return
    strip.current?.querySelector<HTMLElement>(`[data-tab="${focused}"]`)?.focus()
    onFocused?.()
  }, [focused, isThere, onFocused])
  return (
    <nav ref={strip} className={classes['tabs']} aria-label={label}>
      {tabs.map(({ key, label: words, count, current, link }) => (
        <Link
          key={key}
          {...(link as LinkProps)}
          className={classes['tab']}
          aria-current={current ? 'page' : undefined}
          data-current={current || undefined}
          data-tab={key}
          resetScroll={false}
          activeProps={{}}
          inactiveProps={{}}
        >
          {words}
          {count !== undefined && count !== null && <Count>{count}</Count>}
        </Link>
      ))}
      {children}
    </nav>
  )
}
