import { useId, type ReactNode } from 'react'
import classes from './Progress.module.css'

/** How far something in the background has come, in words and as a bar. */
export function Progress({ total, done, children }: { total: number; done: number; children: ReactNode }) {
  const id = useId()
  return (
    <div className={classes['progress']}>
      <label htmlFor={id} className="num">
        <span role="status">{children}</span>
      </label>
      <progress id={id} max={Math.max(1, total)} value={done} />
    </div>
  )
}
