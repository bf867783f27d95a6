import { useId, type ReactNode } from 'react'
import classes from './Progress.module.css'

/** How far something in the background has come, in words and as a bar; how much there is may not be known yet. */
export function Progress({ total, done, children }: { total: number | null; done: number; children: ReactNode }) {
  const id = useId()
  return (
    <div className={classes['progress']}>
      <label htmlFor={id} className="num">
        <span role="status">{children}</span>
      </label>
      <progress id={id} max={Math.max(1, total ?? 1)} {...(total === null ? {} : { value: Math.min(done, total) })} />
    </div>
  )
}
