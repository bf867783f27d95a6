import type { ReactNode } from 'react'
import classes from './Card.module.css'

export interface CardProps {
  title?: ReactNode
  /** At the right of the title. */
  aside?: ReactNode
  /** Without padding: for lists and maps. */
  flush?: boolean
  id?: string
  children: ReactNode
}

/** A section of a page, with its h2. */
export function Card({ title, aside, flush = false, id, children }: CardProps) {
  return (
    <section className={classes['card']} id={id}>
      {title !== undefined && (
        <header className={classes['head']}>
          <h2>{title}</h2>
          {aside && <div className={classes['aside']}>{aside}</div>}
        </header>
      )}
      <div className={flush ? undefined : classes['body']}>{children}</div>
    </section>
  )
}
