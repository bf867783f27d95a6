import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Count } from './badge/Badge'
import classes from './Tabs.module.css'

export interface TabLink {
  key: string
  label: ReactNode
  /** Beside the label: how many it holds, or how many fields are unsaved. */
  count?: ReactNode
  current: boolean
  link: Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>
}

/** Tabs that are addresses: each can be opened in a new tab, bookmarked, gone back to. */
export function Tabs({ label, tabs, children }: { label: string; tabs: readonly TabLink[]; children?: ReactNode }) {
  return (
    <nav className={classes['tabs']} aria-label={label}>
      {tabs.map(({ key, label: words, count, current, link }) => (
        <Link key={key} {...(link as LinkProps)} className={classes['tab']} aria-current={current ? 'page' : undefined} data-current={current || undefined} resetScroll={false} activeProps={{}} inactiveProps={{}}>
          {words}
          {count !== undefined && count !== null && <Count>{count}</Count>}
        </Link>
      ))}
      {children}
    </nav>
  )
}
