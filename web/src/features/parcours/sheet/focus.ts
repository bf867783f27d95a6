const inputs = 'input:not([type="hidden"]), select, textarea, [contenteditable="true"], button'

/** The input of a field, by its path or by the field that holds it; nothing while it is not in sight. */
function inputOf(path: string): HTMLElement | null {
  const parts = path.split('.')
  for (let kept = parts.length; kept > 0; kept--) {
    const place = document.querySelector(`[data-field="${CSS.escape(parts.slice(0, kept).join('.'))}"]`)
    const input = place?.matches(inputs) ? place : place?.querySelector(inputs)
    if (input instanceof HTMLElement && input.offsetParent !== null) return input
  }
  return null
}

/** Frames to wait for a tab that opens, and for the editor of a long text that is fetched. */
const patience = 120

/** Focus a field as soon as it is there. */
export function focusField(path: string, left = patience): void {
  const input = inputOf(path)
  if (input !== null) {
    input.focus()
    input.scrollIntoView({ block: 'center' })
  } else if (left > 0) requestAnimationFrame(() => focusField(path, left - 1))
}
