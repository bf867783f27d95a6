import type { ReactNode } from 'react'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { problemText } from '@/records/problem-text'
import classes from './source.module.css'

export interface SourceListProps<S> {
  label: string
  /** None yet while they are asked for. */
  items: readonly S[] | undefined
  error: unknown
  /** Shown when there is no source. */
  none: ReactNode
  children: (source: S) => ReactNode
}

/** The list of sources, or its loading, error and empty states. Each child is a `<li>`. */
export function SourceList<S>({ label, items, error, none, children }: SourceListProps<S>) {
  return (
    <>
      {error != null && (
        <Banner tone="danger" live="alert">
          {problemText(error)}
        </Banner>
      )}
      {items === undefined && error == null && <Skeleton height={160} />}
      {items?.length === 0 && none}
      {items !== undefined && items.length > 0 && (
        <ul className={classes['list']} aria-label={label}>
          {items.map(children)}
        </ul>
      )}
    </>
  )
}

export interface SourceRowProps {
  /** Its name, a link to its page. */
  name: ReactNode
  /** What it is of. */
  kind?: ReactNode
  address: string | null | undefined
  /** The interval, unless there is none. */
  every: string | false
  /** What else is to be known of it. */
  facts?: ReactNode
  run: ReactNode
  actions: ReactNode
}

/** One of them: its name and address, its last run, what can be done with it. */
export function SourceRow({ name, kind, address, every, facts, run, actions }: SourceRowProps) {
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <h2>{name}</h2>
        <p className={`${classes['whence']} small muted`}>
          {kind} <span className={classes['address']}>{address}</span>
          {every !== false && ` · ${every}`}
        </p>
        {facts}
      </div>
      {run}
      {actions}
    </li>
  )
}
