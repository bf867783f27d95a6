import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'

/** Which component moved the cursor: it ignores its own moves. */
export type CursorOrigin = 'map' | 'profile' | 'ribbon' | 'list' | 'keyboard'
export interface Cursor {
  /** Distance from the start of the trace, metres; nothing under the mouse = null. */
  atM: number | null
  origin: CursorOrigin | null
}

/** One place on the trace, shared by the map, the profile, the ribbon and the list. Not a React state, because it changes at each mouse move. */
export interface CursorStore {
  get: () => Cursor
  set: (atM: number | null, origin: CursorOrigin) => void
  subscribe: (listener: () => void) => () => void
}

export function createCursor(): CursorStore {
  let cursor: Cursor = { atM: null, origin: null }
  const listeners = new Set<() => void>()
  return {
    get: () => cursor,
    set: (atM, origin) => {
      if (atM === cursor.atM) return
      cursor = { atM, origin }
      listeners.forEach((listener) => listener())
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const Shared = createContext<CursorStore | null>(null)

/** Drawings below share one cursor. */
export function CursorProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createCursor)
  return <Shared value={store}>{children}</Shared>
}

const alone = createCursor()
/** The store of the nearest provider; without one, a separate store that is not shared. */
export const useCursorStore = (): CursorStore => useContext(Shared) ?? alone

/** The cursor as a value. The component renders at each move: for small components only. */
export function useCursor(): Cursor {
  const store = useCursorStore()
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Follow the cursor without rendering: for markers and canvases. */
export function useCursorEffect(follow: (cursor: Cursor) => void): void {
  const store = useCursorStore()
  const latest = useRef(follow)
  useEffect(() => {
    latest.current = follow
  })
  useEffect(() => {
    const update = () => latest.current(store.get())
    update()
    return store.subscribe(update)
  }, [store])
}
