/** Elements that take the focus of a field; of a colour field the code, not the browser's colour picker. */
const fields =
  'input:not([type="hidden"], [type="color"], [hidden]), select:not([hidden]), textarea:not([hidden]), [role="textbox"]:not([hidden])'

/** How long a tab that opens, and the editor of a long text that is fetched, may take to be there, in frames. */
const FIELD_TIMEOUT_FRAMES = 120
/** How many of these frames to wait for the field itself, before a surrounding field is accepted. */
const EXACTLY = 40

/** How long the first field at fault is waited for, in frames. */
const FAULT_TIMEOUT_FRAMES = 60

/** The place of a field on the page. */
const placeOf = (path: string) => document.querySelector<HTMLElement>(`[data-field=${JSON.stringify(path)}]`)

/** The path of a field and of those that hold it, the innermost first. */
const holders = (path: string) => path.split('.').map((_, index, parts) => parts.slice(0, parts.length - index).join('.'))

/** The input of a field's place, else its first button. */
function inputOf(place: HTMLElement): HTMLElement | null {
  const input = place.matches(`${fields}, button`) ? place : (place.querySelector(fields) ?? place.querySelector('button'))
  return input instanceof HTMLElement ? input : null
}

/** The input of the first of these fields that is shown. */
function shownInput(paths: readonly string[]): HTMLElement | undefined {
  const inputs = paths.map(placeOf).map((place) => place && inputOf(place))
  return inputs.find((input) => input !== null && input.offsetParent !== null) ?? undefined
}

/** Focuses a field as soon as it is shown. */
export function focusField(path: string, left = FIELD_TIMEOUT_FRAMES): void {
  const input = shownInput(left > FIELD_TIMEOUT_FRAMES - EXACTLY ? [path] : holders(path))
  if (input !== undefined) {
    input.focus()
    input.scrollIntoView({ block: 'center' })
  } else if (left > 0) requestAnimationFrame(() => focusField(path, left - 1))
}

/** Scrolls to a message above the fields as soon as it is drawn. It takes the focus, unless the user is typing or answers a dialog. */
export function showNotice(notice: { current: HTMLElement | null }, takesFocus: boolean, left = FAULT_TIMEOUT_FRAMES): void {
  if (notice.current !== null) {
    if (takesFocus && document.activeElement?.closest('[role="dialog"]') == null) notice.current.focus({ preventScroll: true })
    notice.current.scrollIntoView({ block: 'center' })
  } else if (left > 0) requestAnimationFrame(() => showNotice(notice, takesFocus, left - 1))
}

/** Focuses the first field at fault, in the order of the page; its tab is opened before. Without such a field, `otherwise` is called. */
export function focusFirstFault(paths: readonly string[], reveal?: (path: string) => void, otherwise?: () => void): void {
  const first = paths[0]
  if (first === undefined) return otherwise?.()
  reveal?.(first)
  const start = document.activeElement
  const look = (framesLeft: number) =>
    requestAnimationFrame(() => {
      // The user types elsewhere meanwhile: the focus stays there.
      if (document.activeElement !== start && document.activeElement?.matches(fields) === true) return
      const place = firstPlace(paths)
      const input = place && inputOf(place)
      if (input) input.focus()
      else if (place === undefined && framesLeft > 0) look(framesLeft - 1)
      else otherwise?.()
    })
  look(reveal === undefined ? 0 : FAULT_TIMEOUT_FRAMES)
}

/** The first of the places of some fields on the page. */
function firstPlace(paths: readonly string[]): HTMLElement | undefined {
  const places = paths.flatMap(
    (path) =>
      holders(path)
        .map(placeOf)
        .find((place) => place !== null) ?? [],
  )
  return places.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]
}
