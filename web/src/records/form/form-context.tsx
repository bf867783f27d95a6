import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Values } from './paths'
import type { FormStore } from './store'
import { faultText } from '@/records/problem-text'
import type { Unsaved } from './unsaved'

const Current = createContext<FormStore<Values> | null>(null)
export const FormProvider = Current.Provider

/** The form around a field. */
export function useForm(): FormStore<Values> {
  const store = useContext(Current)
  if (store === null) throw new Error('a field stands outside a ResourceForm')
  return store
}

export interface FieldControl<T> {
  value: T
  set: (value: T) => void
  /** The server's fault in the user's words. */
  error: string | undefined
  dirty: boolean
  /** The typed text that cannot be read as a value. */
  unread: string | undefined
  /** Keeps such a text, so that the form is not saved without it; `null` once it can be read. */
  setUnread: (text: string | null) => void
}

/** One field of the form around: its value, how to write it, its fault. `T` is what the form's `toValues` put there. */
export function useField<T>(path: string): FieldControl<T> {
  const store = useForm()
  const value = useSyncExternalStore(store.subscribe, () => store.get(path)) as T
  const fault = useSyncExternalStore(store.subscribe, () => store.faultWithin(path))
  const dirty = useSyncExternalStore(store.subscribe, () => store.isDirty(path))
  const unread = useSyncExternalStore(store.subscribe, () => store.unread(path))
  return {
    value,
    set: (next) => store.set(path, next),
    error: fault === undefined ? undefined : faultText(fault),
    dirty,
    unread,
    setUnread: (text) => store.setUnread(path, text),
  }
}

/** How many leaves are unsaved, of all or of some fields (a tab). */
export function useDirtyCount(store: Unsaved, fields?: readonly string[]): number {
  return useSyncExternalStore(store.subscribe, () => {
    const paths = store.dirtyPaths()
    return fields === undefined ? paths.length : paths.filter((path) => fields.includes(path.split('.')[0] ?? '')).length
  })
}

/** How many fields of a part of the form are at fault. */
export function useFaultCount<V extends Values>(store: FormStore<V>, fields: readonly string[]): number {
  return useSyncExternalStore(store.subscribe, () => store.faultPaths().filter((path) => fields.includes(path.split('.')[0] ?? '')).length)
}
