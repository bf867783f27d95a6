import { withoutLocale } from '@/i18n/locale'
import { focusTitle, isFocusLost } from '@/ui/focus'

/** What takes the focus in a row: the row itself where it is a button, else the button of its menu, else another button or a link. */
const takerOf = (row: Element): HTMLElement | null =>
  row instanceof HTMLButtonElement
    ? row
    : (row.querySelector<HTMLElement>('[aria-haspopup="menu"]') ?? row.querySelector<HTMLElement>('button, a[href]'))

/** The page that is shown, whatever its language. */
const pageNow = () => withoutLocale(window.location.pathname)

function* rowsAround(row: Element) {
  for (let next = row.nextElementSibling; next !== null; next = next.nextElementSibling) yield next
  for (let before = row.previousElementSibling; before !== null; before = before.previousElementSibling) yield before
}

/**
 * The `ref` of a row that can be deleted from within, or of a button in a bar that goes away when it is pressed. When the row goes away
 * with the focus in it, the focus comes to the row below, else to the row above, else to the row that holds its list, else to the page's
 * h1. Another page takes the focus as it does.
 */
export function passFocusOn(row: HTMLElement | null): (() => void) | undefined {
  if (row === null) return undefined
  const page = pageNow()
  return () => {
    if (!row.contains(document.activeElement)) return
    const holder = row.parentElement?.closest('li, tr')
    const around = [...rowsAround(row), ...(holder == null ? [] : [holder])]
    // Called before the row is taken out of the document: which rows stay is known after it.
    queueMicrotask(() => {
      if (!isFocusLost() || row.isConnected || pageNow() !== page) return
      const next = around.filter((other) => other.isConnected).map(takerOf)
      const taker = next.find((found) => found !== null)
      if (taker == null) focusTitle()
      else taker.focus()
    })
  }
}
