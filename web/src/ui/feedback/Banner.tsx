import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { ReactNode, Ref } from 'react'
import classes from './Banner.module.css'

const icons = { info: IconInfoCircle, ok: IconCircleCheck, warn: IconAlertTriangle, danger: IconAlertCircle, lock: IconLock }

export interface BannerProps {
  tone?: keyof typeof icons
  /** Said aloud when it appears: `alert` for a refusal, `status` for the rest. */
  live?: 'alert' | 'status'
  actions?: ReactNode
  /** With a ref, the focus can be moved to it. */
  ref?: Ref<HTMLDivElement>
  children: ReactNode
}

/** A message about the whole of a form or a page, with its remedies. */
export function Banner({ tone = 'info', live, actions, ref, children }: BannerProps) {
  const Icon = icons[tone]
  return (
    <div className={classes['banner']} data-tone={tone} role={live} ref={ref} tabIndex={ref === undefined ? undefined : -1}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <div className={classes['text']}>{children}</div>
      {actions && <div className={classes['actions']}>{actions}</div>}
    </div>
  )
}
