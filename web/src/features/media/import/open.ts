import { useSyncExternalStore } from 'react'

let opened = false
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Opens or closes the upload panel; uploads continue. */
export function openImports(open: boolean): void {
  opened = open
  listeners.forEach((listener) => listener())
}

export const useImportOpen = (): boolean => useSyncExternalStore(subscribe, () => opened)
