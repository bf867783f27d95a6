import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Badge.module.css'

export type Tone = 'neutral' | 'ok' | 'warn' | 'danger' | 'info' | 'lock'

/** A status: an icon and words, never a bare dot. */
export function Badge({
  tone = 'neutral',
  icon: Mark,
  children,
  title,
}: {
  tone?: Tone
  icon?: Icon
  children: ReactNode
  title?: string
}) {
  return (
    <span className={classes['badge']} data-tone={tone} title={title}>
      {Mark && <Mark size={14} stroke={2} aria-hidden />}
      {children}
    </span>
  )
}

/** A number beside a title or a tab. */
export function Count({ children }: { children: ReactNode }) {
  return <span className={classes['count']}>{children}</span>
}
