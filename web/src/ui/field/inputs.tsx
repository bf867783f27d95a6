import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import {
  useEffect,
  useId,
  useRef,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  type Ref,
} from 'react'
import { useTranslation } from '@/i18n'
import { currentLocale } from '@/i18n'
import { FieldError } from './Field'
import classes from './Field.module.css'

const cx = (...names: (string | undefined | false)[]) => names.filter(Boolean).join(' ')

type Native<T> = Omit<T, 'onChange' | 'value' | 'size'>
export interface TextInputProps extends Native<InputHTMLAttributes<HTMLInputElement>> {
  value: string
  onChange: (value: string) => void
  large?: boolean
  ref?: Ref<HTMLInputElement>
}

/** One line of text. */
export function TextInput({ onChange, large, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      {...rest}
      className={cx(classes['input'], className)}
      data-size={large ? 'large' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** A password, that can be shown while it is typed. */
export function PasswordInput({ large, ...rest }: TextInputProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const Eye = shown ? IconEyeOff : IconEye
  return (
    <span className={classes['affix']}>
      <TextInput {...rest} {...(large ? { large } : {})} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button
        type="button"
        className={classes['reveal']}
        aria-pressed={shown}
        aria-label={t('showPassword')}
        title={t('showPassword')}
        onClick={() => setShown(!shown)}
      >
        <Eye size={18} stroke={1.75} aria-hidden />
      </button>
    </span>
  )
}

export interface TextAreaProps extends Native<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  value: string
  onChange: (value: string) => void
}
/** Several lines; grows with its text. */
export function TextArea({ onChange, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={2}
      {...rest}
      className={cx(classes['input'], classes['area'], className)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export interface NumberInputProps extends Native<InputHTMLAttributes<HTMLInputElement>> {
  value: number | null
  onChange: (value: number | null) => void
  /** Called with a text that is no number, or no whole one where that is wanted; with `null` once it is corrected. */
  onUnreadable?: (text: string | null) => void
  /** The typed text that the form around holds and that is no number: the field begins with it. `null`: the form holds none (a draft has
   * replaced it), and the value is shown. */
  unreadText?: string | null
  /** How many are kept; 0, the default, refuses a text with any. */
  decimals?: number | undefined
  unit?: string | undefined
}

const writeNumber = (value: number | null, decimals: number) =>
  value === null ? '' : new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: decimals, useGrouping: false }).format(value)

/** Read a number as people write it: comma or point, spaces of any width in thousands. */
export function readNumber(text: string): number | null | undefined {
  const bare = text.replace(/[\s\u00a0\u202f']/g, '').replace(',', '.')
  if (bare === '') return null
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(bare) ? Number(bare) : undefined
}

/** Reads a typed number; `undefined` also for a fraction where a whole number is wanted: rounding it would change what was typed. */
function readWithin(text: string, decimals: number): number | null | undefined {
  const read = readNumber(text)
  return decimals === 0 && typeof read === 'number' && !Number.isInteger(read) ? undefined : read
}

/** A number with its unit; accepts a comma or a point, and does not rewrite the typed text until the field is left. A text that is no number
 * is kept where `onUnreadable` reports it, and replaced by the number elsewhere. */
export function NumberInput({ value, onChange, onUnreadable, unreadText, decimals = 0, unit, className, ...rest }: NumberInputProps) {
  const [typed, setText] = useState<string | null>(unreadText ?? null)
  const text = typed !== null && unreadText === null && readWithin(typed, decimals) === undefined ? null : typed
  return (
    <span className={classes['affix']}>
      <input
        {...rest}
        type="text"
        inputMode={decimals > 0 ? 'decimal' : 'numeric'}
        className={cx(classes['input'], className)}
        value={text ?? writeNumber(value, decimals)}
        onChange={(event) => {
          setText(event.target.value)
          const read = readWithin(event.target.value, decimals)
          onUnreadable?.(read === undefined ? event.target.value : null)
          if (read !== undefined) onChange(read === null ? null : Number(read.toFixed(decimals)))
        }}
        onBlur={(event) => {
          if (onUnreadable === undefined || readWithin(text ?? '', decimals) !== undefined) setText(null)
          rest.onBlur?.(event)
        }}
      />
      {unit !== undefined && <span className={classes['unit']}>{unit}</span>}
    </span>
  )
}

export interface Choice {
  value: string
  label: string
  disabled?: boolean
  /** Depth in a tree. */
  depth?: number
}
export interface SelectInputProps extends Native<SelectHTMLAttributes<HTMLSelectElement>> {
  value: string | null
  onChange: (value: string | null) => void
  choices: readonly Choice[]
  /** The words of "none"; without them a value must be chosen. */
  empty?: string | undefined
}
/** One of a list: the browser's own select, at ease with keyboard, phone and screen reader. */
export function SelectInput({ value, onChange, choices, empty, className, ...rest }: SelectInputProps) {
  return (
    <select
      {...rest}
      className={cx(classes['input'], classes['select'], className)}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    >
      {(empty !== undefined || value === null) && <option value="">{empty ?? ''}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled}>
          {'\u2003'.repeat(choice.depth ?? 0)}
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/** A day, `YYYY-MM-DD`; the browser's own picker. */
export function DateInput({
  value,
  onChange,
  ...rest
}: Omit<TextInputProps, 'value' | 'onChange'> & { value: string | null; onChange: (value: string | null) => void }) {
  return <TextInput {...rest} type="date" value={value ?? ''} onChange={(text) => onChange(text === '' ? null : text)} />
}

export interface CheckProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  hint?: ReactNode
  /** The label is for screen readers only. */
  bare?: boolean
  indeterminate?: boolean
  disabled?: boolean
  'data-field'?: string | undefined
}
export function Checkbox({ checked, onChange, label, hint, bare = false, indeterminate = false, disabled, ...rest }: CheckProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <label className={classes['check']} {...rest}>
      <input
        ref={box}
        type="checkbox"
        className={classes['box']}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={bare ? 'visually-hidden' : undefined}>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  )
}

/** On or off, at once. */
export function Switch({ checked, onChange, label, hint, disabled, ...rest }: CheckProps) {
  return (
    <label className={classes['switch']} {...rest}>
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={classes['knob']}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

export interface SegmentsProps<V extends string> {
  label: string
  value: V
  onChange: (value: V) => void
  choices: readonly { value: V; label: ReactNode }[]
  'data-field'?: string | undefined
}
/** One of two to four, all in sight. */
export function Segments<V extends string>({ label, value, onChange, choices, ...rest }: SegmentsProps<V>) {
  const name = useId()
  return (
    <fieldset className={classes['segments']} {...rest}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={name} value={choice.value} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}

interface ChoicesProps {
  label: string
  hint?: ReactNode
  /** One of them must be chosen: only of a group of radios. */
  required?: boolean
  error?: string | undefined
  children: ReactNode
  'data-field'?: string | undefined
}

/** Choices under a label, one a line; the hint and the fault stand below them. */
export function Choices({ label, hint, required = false, error, children, ...rest }: ChoicesProps) {
  const { t } = useTranslation()
  const id = useId()
  const described = cx(hint !== undefined && id, error !== undefined && `${id}-error`)
  return (
    <fieldset
      style={{ border: 0, display: 'grid', gap: 8 }}
      aria-describedby={described === '' ? undefined : described}
      {...(required && { role: 'radiogroup', 'aria-required': true, 'aria-invalid': error === undefined ? undefined : true })}
      {...rest}
    >
      <legend style={{ font: '500 13px/18px var(--font)', marginBottom: 6, padding: 0 }}>
        {label}
        {required && (
          <span className={classes['required']} title={t('required')}>
            {' '}
            *
          </span>
        )}
      </legend>
      {children}
      {hint !== undefined && (
        <p id={id} className="small muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  )
}

/** One of several, one a line, each with its explanation. */
export function Radios<V extends string>({
  label,
  value,
  onChange,
  choices,
  ...rest
}: Omit<SegmentsProps<V>, 'choices' | 'value'> & {
  required?: boolean
  error?: string | undefined
  value: V | null
  choices: readonly { value: V; label: ReactNode; hint?: ReactNode }[]
}) {
  const name = useId()
  return (
    <Choices label={label} {...rest}>
      {choices.map((choice) => (
        <label key={choice.value} className={classes['check']}>
          <input
            type="radio"
            className={classes['box']}
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.hint && <small>{choice.hint}</small>}
          </span>
        </label>
      ))}
    </Choices>
  )
}
