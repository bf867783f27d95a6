/** Where one types or chooses: of a color the code, not the browser's chart beside it. */
const fields = 'input:not([type="hidden"], [type="color"]), select, textarea, [role="textbox"]'

/** The input of a field, else its first button. */
function inputIn(path: string): HTMLElement | null {
  const place = document.querySelector(`[data-field="${CSS.escape(path)}"]`)
  const input = place?.matches(fields) ? place : (place?.querySelector(fields) ?? place?.querySelector('button'))
  return input instanceof HTMLElement && input.offsetParent !== null ? input : null
}

/** The same for the field itself, or for the nearest that holds it. */
function inputNear(path: string): HTMLElement | null {
  const parts = path.split('.')
  return (
    parts
      .map((_, index) => parts.slice(0, parts.length - index).join('.'))
      .map(inputIn)
      .find((input) => input !== null) ?? null
  )
}

/** Frames to wait for a tab that opens, and for the editor of a long text that is fetched. */
const patience = 120
/** How many of these frames to wait for the field itself, before a surrounding field is accepted. */
const exactly = 40

/** Focuses a field as soon as it exists. */
export function focusField(path: string, left = patience): void {
  const input = left > patience - exactly ? inputIn(path) : inputNear(path)
  if (input !== null) {
    input.focus()
    input.scrollIntoView({ block: 'center' })
  } else if (left > 0) requestAnimationFrame(() => focusField(path, left - 1))
}
