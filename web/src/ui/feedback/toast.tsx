import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '@/i18n'
import classes from './toast.module.css'

interface ToastAction {
  label: string
  run: () => void
}
export interface ToastInput {
  text: string
  kind?: 'done' | 'error'
  /** « Annuler », « Réparer »: what can be done about it, the first thing first. */
  action?: ToastAction | readonly ToastAction[]
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

/** Report that something was done (6 s, 10 s with an undo) or went wrong (until closed). No message is shown twice. */
export function toast(input: ToastInput): number {
  const id = ++last
  change([...toasts.filter(({ text }) => text !== input.text).slice(-3), { ...input, id }])
  return id
}
export const toastError = (text: string, action?: ToastAction) => toast({ text, kind: 'error', ...(action && { action }) })

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
  const actions = item.action === undefined ? [] : 'label' in item.action ? [item.action] : item.action
  const Icon = error ? IconAlertCircle : IconCircleCheck
  return (
    // Stays under the mouse or the focus, so that the user need not hurry to press undo.
    <div
      className={classes['toast']}
      data-kind={item.kind ?? 'done'}
      role={error ? 'alert' : 'status'}
      onMouseEnter={hold(true)}
      onMouseLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      <span className={classes['text']}>{item.text}</span>
      {actions.length > 0 && (
        <span className={classes['actions']}>
          {actions.map(({ label, run }) => (
            <button
              key={label}
              type="button"
              className={classes['action']}
              onClick={() => {
                run()
                closeToast(id)
              }}
            >
              {label}
            </button>
          ))}
        </span>
      )}
      <button type="button" className={classes['close']} aria-label={t('close')} onClick={() => closeToast(id)}>
        <IconX size={16} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

/** The height that toasts take: the page ends above them, so that they cover none of its actions. */
function useRoom() {
  const stack = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = stack.current
    if (box === null || typeof ResizeObserver === 'undefined') return undefined
    const root = document.documentElement
    const watch = new ResizeObserver(() => {
      const taken = box.childElementCount === 0 ? 0 : window.innerHeight - box.getBoundingClientRect().top
      root.style.setProperty('--toasts', `${Math.ceil(Math.max(0, taken))}px`)
    })
    watch.observe(box)
    return () => {
      watch.disconnect()
      root.style.removeProperty('--toasts')
    }
  }, [])
  return stack
}

/** The place of toasts: bottom left, under the page. */
export function Toaster() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section ref={useRoom()} className={classes['stack']} aria-label={t('notifications')}>
      {shown.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  )
}
