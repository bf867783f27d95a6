import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

/** Nothing there yet: a drawn line, one sentence, what to do first. */
export function EmptyState({ title, text, actions }: { title: string; text?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={classes['empty']}>
      <svg width="112" height="52" viewBox="0 0 112 52" fill="none" aria-hidden="true">
        <path
          d="M6 46c22-2 24-38 40-30s10 34 28 28 10-22 26-24"
          stroke="var(--t-planned)"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray="0.1 6.5"
        />
        <circle cx="6" cy="46" r="4.5" fill="var(--primary)" />
        <path d="M102 6v14" stroke="var(--jalon)" strokeWidth="4" strokeDasharray="4 3" />
      </svg>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {actions && <div className={classes['actions']}>{actions}</div>}
    </div>
  )
}
