import { useId, type ReactNode } from 'react'
import classes from './Progress.module.css'

/** The progress of work in the background, in words and as a bar; the total may not be known yet. */
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
