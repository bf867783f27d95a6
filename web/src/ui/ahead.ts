const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown'] as const

/** Fetches a part as soon as somebody moves a pointer or presses a key: not with the page, yet before it is asked for. */
export function ahead<M>(read: () => Promise<M>): () => Promise<M> {
  const fetch = () => {
    signs.forEach((sign) => window.removeEventListener(sign, fetch, true))
    // What does not come is told where it is needed.
    read().catch(() => undefined)
  }
  signs.forEach((sign) => window.addEventListener(sign, fetch, { capture: true, passive: true }))
  return read
}
