import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useId, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import classes from './Field.module.css'

/** The attributes that connect an input with its label, hint and error. */
export interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

export interface FieldProps {
  label: ReactNode
  required?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
  /** « 42 / 80 » */
  count?: { now: number; max: number } | undefined
  /** To the right of the label. */
  aside?: ReactNode
  /** A tag by the label: typed by hand, reserved, computed. */
  tag?: ReactNode
  /** The path of the field in its form: where focus goes when it is at fault. */
  path?: string | undefined
  children: (wiring: Wiring) => ReactNode
}

/** Label, input, hint and error, wired together. */
export function Field({ label, required = false, hint, error, count, aside, tag, path, children }: FieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error === undefined ? '' : `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={classes['field']} data-field={path}>
      <div className={classes['head']}>
        <label htmlFor={id} className={classes['label']}>
          {label}
          {required && (
            <span className={classes['required']} title={t('required')}>
              {' '}
              *
            </span>
          )}
        </label>
        {tag}
        {count !== undefined && (
          <span className={classes['count']} data-over={count.now > count.max || undefined}>
            {count.now} / {count.max}
          </span>
        )}
        {aside !== undefined && <span className={classes['aside']}>{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-required': required || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className={classes['hint']}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

/** The words of a fault, under the input they belong to. */
export function FieldError({ id, error }: { id?: string; error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p id={id} className={classes['error']} role="alert">
      <IconAlertCircle size={16} stroke={1.75} aria-hidden />
      <span>{error}</span>
    </p>
  )
}

/** « Saisi à la main : l’import ne l’écrase pas », « Réservé aux agences de voyages »: a violet tag by a label. */
export function FieldTag({ children }: { children: ReactNode }) {
  return (
    <span className={classes['tag']}>
      <IconLock size={14} stroke={2} aria-hidden />
      {children}
    </span>
  )
}

/** A field that may only be read: plain text, never a greyed input. */
export function ReadOnly({ label, tag, children }: { label: ReactNode; tag?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['readonly']}>
      <span className={classes['readonlyLabel']}>
        {label} {tag}
      </span>
      <span>{children === '' || children === null || children === undefined ? '–' : children}</span>
    </div>
  )
}
