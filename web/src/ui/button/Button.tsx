import { useId, type AnchorHTMLAttributes, type ButtonHTMLAttributes, type ReactNode, type Ref } from 'react'
import classes from './Button.module.css'

export interface ButtonLook {
  /** One `primary` a screen; `danger` only inside a dialog. */
  look?: 'default' | 'primary' | 'ghost' | 'soft' | 'danger' | 'link'
  size?: 'default' | 'small' | 'large'
  icon?: ReactNode
  /** Takes the full width of its container. */
  wide?: boolean
}

export interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** Why it cannot be pressed now; it stays focusable and shows the reason. */
  disabledReason?: string | undefined
  /** Show the reason as text under the button, not only as a tooltip. */
  reasonShown?: boolean
  /** Whether the call that it began is under way. A button that has it ignores the second click of a double click. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

const look = ({ look = 'default', size = 'default', wide = false }: ButtonLook, extra = '') =>
  [classes['button'], classes[look], size === 'default' ? '' : classes[size], wide ? classes['wide'] : '', extra].filter(Boolean).join(' ')

/** A button whose words are a verb with its object. */
export function Button({
  look: style,
  size,
  icon,
  wide,
  disabledReason,
  reasonShown = false,
  busy,
  className,
  children,
  onClick,
  type = 'button',
  ref,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const off = disabledReason !== undefined
  // The same elements whether it may be pressed or not: a button that is greyed keeps the focus it has.
  return (
    <span className={classes['place']} data-off={off || undefined}>
      <button
        {...rest}
        ref={ref}
        type={off && type === 'submit' ? 'button' : type}
        className={look({ ...(style && { look: style }), ...(size && { size }), ...(wide && { wide }) }, className)}
        aria-disabled={off || busy === true || undefined}
        aria-busy={busy === true || undefined}
        aria-describedby={off ? reasonId : rest['aria-describedby']}
        title={off && !reasonShown ? disabledReason : rest.title}
        onClick={(event) => {
          // The second click of a double click comes before the page shows that the first began a call, or just after a short one.
          const isSecond = busy !== undefined && event.detail > 1
          if (off || busy === true || isSecond) event.preventDefault()
          else onClick?.(event)
        }}
      >
        {icon}
        {children}
      </button>
      {off && (
        <span id={reasonId} className={reasonShown ? classes['reason'] : classes['reasonOnTouch']}>
          {disabledReason}
        </span>
      )}
    </span>
  )
}

/** A square button with an icon alone: its name is read by screen readers and shown on hover. */
export function IconButton({ label, className = '', ...props }: Omit<ButtonProps, 'children'> & { label: string }) {
  return <Button {...props} aria-label={label} title={label} className={`${classes['square']} ${className}`} />
}

type AnchorProps = ButtonLook & AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }

/** A link out of the app (a download, another site) that looks like a button. */
export function ButtonAnchor({ look: style, size, icon, wide, className, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={look({ ...(style && { look: style }), ...(size && { size }), ...(wide && { wide }) }, className)}>
      {icon}
      {children}
    </a>
  )
}
