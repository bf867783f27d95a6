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

/** Tabs that are addresses: each can be opened in a new tab, bookmarked, gone back to. */
export function Tabs({ label, tabs, children }: { label: string; tabs: readonly TabLink[]; children?: ReactNode }) {
  const strip = useRef<HTMLElement>(null)
  const here = tabs.find(({ current }) => current)?.key
  // On a narrow window the strip is wider than its visible part: the current tab is scrolled into view.
  useEffect(() => {
    const tab = here === undefined ? null : strip.current?.querySelector<HTMLElement>('[data-current]')
    if (tab && strip.current) strip.current.scrollLeft = tab.offsetLeft - (strip.current.clientWidth - tab.offsetWidth) / 2
  }, [here])
  return (
    <nav ref={strip} className={classes['tabs']} aria-label={label}>
      {tabs.map(({ key, label: words, count, current, link }) => (
        <Link
          key={key}
          {...(link as LinkProps)}
          className={classes['tab']}
          aria-current={current ? 'page' : undefined}
          data-current={current || undefined}
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
