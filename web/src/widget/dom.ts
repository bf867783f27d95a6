type Given = string | number | boolean | null | undefined

/** An element with its attributes and its content. Texts are texts: nothing of a sheet becomes markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given: Record<string, Given> = {},
  ...inside: (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  put(element, given)
  element.append(...inside.filter((one) => one !== null))
  return element
}

/** The same for a drawing. */
export function svg(tag: string, given: Record<string, Given>, ...inside: Node[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  put(element, given)
  element.append(...inside)
  return element
}

function put(element: Element, given: Record<string, Given>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value))
  }
}

/** Once an element is about to be seen. */
export function whenNear(element: Element, signal: AbortSignal, work: () => void): void {
  watch(element, signal, { rootMargin: '200px' }, work)
}

/** Runs `work` once at least 90 % of an element is visible. */
export function whenSeen(element: Element, signal: AbortSignal, work: () => void): void {
  watch(element, signal, { threshold: 0.9 }, work)
}

function watch(element: Element, signal: AbortSignal, how: IntersectionObserverInit, work: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    work()
  }, how)
  observer.observe(element)
  signal.addEventListener('abort', () => observer.disconnect())
}
