import type { ReactNode } from 'react'
import classes from './PageHeader.module.css'

export interface PageHeaderProps {
  title: ReactNode
  /** Before the title: the glyph of a record. */
  picture?: ReactNode
  /** One line of counts or facts. */
  facts?: ReactNode
  /** The main button last. */
  actions?: ReactNode
  /** Tabs, under the title. */
  children?: ReactNode
}

/** The head of a page: its only h1, to which focus goes when the page opens. */
export function PageHeader({ title, picture, facts, actions, children }: PageHeaderProps) {
  return (
    <header className={classes['header']}>
      <div className={classes['line']}>
        {picture}
        <div className={classes['words']}>
          <h1 tabIndex={-1}>{title}</h1>
          {facts && <div className={classes['facts']}>{facts}</div>}
        </div>
        {actions && <div className={classes['actions']}>{actions}</div>}
      </div>
      {children}
    </header>
  )
}
