import { useEffect, useRef, useState } from 'react'

/** For what takes the place of a button that was pressed: the new button gets the focus that the old one had, then it opens. */
export function useOpenedAtOnce() {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) target.current?.focus({ preventScroll: true })
    // Opened after it was closed: what it opens gives the focus back to what had it at that moment.
    const frame = requestAnimationFrame(() => setOpened(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return { target, opened, setOpened }
}
