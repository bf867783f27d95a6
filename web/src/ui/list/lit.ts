import { useSyncExternalStore } from 'react'

/** The record under the pointer: its row and its mark know each other, and nothing else is drawn anew. */
export interface Lit {
  get: () => number | null
  set: (id: number | null) => void
  subscribe: (listener: () => void) => () => void
}

export function makeLit(): Lit {
  let lit: number | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => lit,
    set: (id) => {
      if (id === lit) return
      lit = id
      listeners.forEach((listener) => listener())
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Which one is lit now. */
export const useLit = (lit: Lit): number | null => useSyncExternalStore(lit.subscribe, lit.get)

/** Is it this one? */
export const useIsLit = (lit: Lit, id: number): boolean => useSyncExternalStore(lit.subscribe, () => lit.get() === id)
