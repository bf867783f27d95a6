import { useEffect } from 'react'
import { isFocusLost } from '@/ui/focus'

/** What had the focus last: a menu can be gone when the dialog that it opened is there. */
let last: Element | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target
  })

/** Where the focus goes back to: an entry of a menu goes away with its menu, whose button stays. */
function keeperOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  if (menu == null) return element
  // The names of the library: « x-dropdown » is the menu of « x-target », or of our own button « x ».
  const name = menu.id.replace(/-dropdown$/, '')
  return document.getElementById(`${name}-target`) ?? document.getElementById(name)
}

/** Gives the focus back to the element that had it, where what was opened goes while it has the focus. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = keeperOf(isFocusLost() ? last : document.activeElement)
    return () => {
      if (isFocusLost() && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
}
