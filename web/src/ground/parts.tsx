import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import { useCallback, useEffect, useRef, useState, type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type Ref } from 'react'
import { translate, useTranslation } from '@/i18n'
import { goTo, hasMoved, pathOf, type Route } from './route'

interface Look {
  look?: 'primary' | 'danger' | 'plain'
  icon?: ReactNode
  children: ReactNode
}

/** A button for a gloved hand. The kit's own is made for a desk, and brings the router of the application. */
export function BigButton({
  look = 'plain',
  icon,
  children,
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }) {
  return (
    <button type="button" {...rest} className="big" data-look={look}>
      {icon}
      <span>{children}</span>
    </button>
  )
}

/** Whether a button asks before it acts. The focus goes to the question, and back to the button of this `ref`. */
export function useAsking() {
  const [asking, setAsking] = useState<boolean | null>(null)
  const ref = useCallback(
    (button: HTMLElement | null) => {
      if (asking === false) button?.focus()
    },
    [asking],
  )
  return { asking: asking === true, ask: () => setAsking(true), ref, cancel: () => setAsking(false) }
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Asks before what cannot be undone. */
export function Sure({ question, yes, onYes, onCancel }: { question: string; yes: string; onYes: () => void; onCancel: () => void }) {
  const { t } = useTranslation('ground')
  return (
    <div className="row" role="group" aria-label={question}>
      <p>{question}</p>
      <BigButton ref={takeFocus} onClick={onCancel}>
        {t('cancel')}
      </BigButton>
      <BigButton look="danger" onClick={onYes}>
        {yes}
      </BigButton>
    </div>
  )
}

/** A link to another screen of this page. */
export function ScreenLink({
  to,
  look,
  icon,
  current = false,
  children,
}: Partial<Look> & { to: Route; current?: boolean; children: ReactNode }) {
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a
      href={pathOf(to)}
      onClick={go}
      className={look === undefined ? undefined : 'big'}
      data-look={look}
      aria-current={current ? 'page' : undefined}
    >
      {icon}
      <span>{children}</span>
    </a>
  )
}

/** The only h1 of a screen. It takes the focus when the person comes from another screen, and names the page. */
export function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasMoved()) heading.current?.focus()
  }, [])
  useEffect(() => {
    const page = translate('ground:title')
    document.title = children === page ? page : `${children} · ${page}`
  }, [children])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** Opens the camera of a phone, and the files of a desk. */
export function CameraButton({ label, onFiles }: { label: string; onFiles: (files: FileList | null) => void }) {
  return (
    <label className="big camera">
      <IconCamera size={26} stroke={1.75} aria-hidden />
      <span>{label}</span>
      <input
        type="file"
        accept="image/*"
        capture="environment"
        className="visually-hidden"
        onChange={(event) => {
          onFiles(event.target.files)
          event.target.value = ''
        }}
      />
    </label>
  )
}
