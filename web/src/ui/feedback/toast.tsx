import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useRef, useSyncExternalStore, type FocusEvent } from 'react'
import { useTranslation } from '@/i18n'
import classes from './toast.module.css'

export interface ToastAction {
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

/** What had the focus before it came to the notifications: it goes back there. */
let before: HTMLElement | null = null
const noteBefore = ({ relatedTarget }: FocusEvent) => {
  if (relatedTarget instanceof Element && relatedTarget.closest('[data-toasts]') !== null) return
  before = relatedTarget instanceof HTMLElement ? relatedTarget : null
}
const giveBack = () => {
  if (before?.isConnected === true) before.focus({ preventScroll: true })
}

/** The `ref` of a notification: where it goes away with the focus in it, the focus goes back, unless something else takes it. */
const giveBackRef = (card: HTMLElement | null) =>
  card === null
    ? undefined
    : () => {
        if (!card.contains(document.activeElement)) return
        queueMicrotask(() => {
          if (document.activeElement === document.body) giveBack()
        })
      }

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
      ref={giveBackRef}
      className={classes['toast']}
      data-kind={item.kind ?? 'done'}
      role={error ? 'alert' : 'status'}
      onMouseEnter={hold(true)}
      onMouseLeave={hold(false)}
      onFocus={(event) => {
        noteBefore(event)
        held.current = true
      }}
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
          <kbd className={classes['key']} aria-hidden>
            F6
          </kbd>
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

/** F6 goes to the last notification that offers something, which shows the key, or to the last one, and back. */
function onKey(event: KeyboardEvent): void {
  if (event.key !== 'F6' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
  const stack = document.querySelector('[data-toasts]')
  const offers = stack?.querySelectorAll('kbd') ?? []
  const button = (offers[offers.length - 1]?.parentElement ?? stack?.lastElementChild)?.querySelector('button')
  if (button == null) return
  event.preventDefault()
  if (stack?.contains(document.activeElement)) giveBack()
  else button.focus()
}

/** The place of toasts: bottom left, under the page. */
export function Toaster() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <section ref={useRoom()} className={classes['stack']} aria-label={t('notifications')} aria-keyshortcuts="F6" data-toasts>
      {shown.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  )
}
