/** Whether nothing has the focus: what had it is gone. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/** Focuses the title of the page, which Tab does not reach, without scrolling to it. */
export function focusTitle(): void {
  const title = document.querySelector('h1')
  if (title === null) return
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}
