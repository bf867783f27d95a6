import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '@/i18n'
import classes from './toast.module.css'

export interface ToastInput {
  text: string
  kind?: 'done' | 'error'
  /** « Annuler », « Réparer »: one thing to do about it. */
  action?: { label: string; run: () => void }
  /** How long it stays, ms; an error stays until it is closed. */
  stayMs?: number
}
interface Toast extends ToastInput {
  id: number
}

let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()
const change = (next: readonly Toast[]) => {
  toasts = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const closeToast = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/** Say that something was done (6 s, 10 s with an undo) or went wrong (until closed). Nothing is told twice. */
export function toast(input: ToastInput): number {
  const id = ++last
  change([...toasts.filter(({ text }) => text !== input.text).slice(-3), { ...input, id }])
  return id
}
export const toastError = (text: string, action?: ToastInput['action']) => toast({ text, kind: 'error', ...(action && { action }) })

function ToastCard({ item }: { item: Toast }) {
  const { t } = useTranslation()
  const error = item.kind === 'error'
  const held = useRef(false)
  const { id, stayMs = item.action ? 10_000 : 6000 } = item
  useEffect(() => {
    if (error) return undefined
    const tick = setInterval(() => held.current || closeToast(id), stayMs)
    return () => clearInterval(tick)
  }, [error, id, stayMs])
  const hold = (value: boolean) => () => {
    held.current = value
  }
  const Icon = error ? IconAlertCircle : IconCircleCheck
  return (
    // Held under the mouse or the focus, so that nobody has to hurry to press undo.
    <div className={classes['toast']} data-kind={item.kind ?? 'done'} role={error ? 'alert' : 'status'} onMouseEnter={hold(true)} onMouseLeave={hold(false)} onFocus={hold(true)} onBlur={hold(false)}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span className={classes['text']}>{item.text}</span>
      {item.action && (
        <button
          type="button"
          className={classes['action']}
          onClick={() => {
            item.action?.run()
            closeToast(id)
          }}
        >
          {item.action.label}
        </button>
      )}
      <button type="button" className={classes['close']} aria-label={t('close')} onClick={() => closeToast(id)}>
        <IconX size={16} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

/** Where toasts appear: bottom left, above everything. */
export function Toaster() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className={classes['stack']} aria-label={t('notifications')}>
      {shown.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  )
}
