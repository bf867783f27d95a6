/** Whether nothing has the focus: what had it is gone. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/** Whether a dialog waits for an answer: the keys of the page behind it do nothing meanwhile. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

/** Focuses the title of the page, which Tab does not reach, without scrolling to it. */
export function focusTitle(): void {
  const title = document.querySelector('h1')
  if (title === null) return
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}
