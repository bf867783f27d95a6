import classes from './Cross.module.css'

/** The cross in the middle of a map whose canvas has the focus: the place that Enter takes. `label`: its name, where nothing else names it. */
export function Cross({ label }: { label?: string }) {
  return (
    <svg
      className={classes['cross']}
      viewBox="0 0 34 34"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d="M17 2v11M17 21v11M2 17h11M21 17h11" stroke="currentColor" strokeWidth="2" fill="none" />
      <circle cx="17" cy="17" r="1.6" fill="currentColor" />
    </svg>
  )
}
