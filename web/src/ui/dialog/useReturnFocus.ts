import { useEffect } from 'react'

/** Gives the focus back to the element that had it, where what was opened goes while it has the focus. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
}
