const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown'] as const

/** Imports a module at the first movement of the pointer or press of a key: after the page, and before the module is needed. */
export function prefetch<M>(read: () => Promise<M>): () => Promise<M> {
  const fetch = () => {
    signs.forEach((sign) => window.removeEventListener(sign, fetch, true))
    // A failure is reported where the module is used.
    read().catch(() => undefined)
  }
  signs.forEach((sign) => window.addEventListener(sign, fetch, { capture: true, passive: true }))
  return read
}
