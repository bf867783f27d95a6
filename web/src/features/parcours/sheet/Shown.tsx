import { useSyncExternalStore, type ReactNode } from 'react'
import { useSheet } from './context'
import { isShown } from './visibility'

/** Is a field in sight in the view the person chose? Several fields: is any of them. */
export function useShown(fields: readonly string[]): boolean {
  const { form, advanced: asked, parcours } = useSheet()
  // Where nothing can be filled, an empty field has nothing to say.
  const advanced = asked && parcours.editable
  const { store } = form
  return useSyncExternalStore(store.subscribe, () => {
    const state = { advanced, values: store.values, faults: store.faultPaths(), dirty: store.dirtyPaths() }
    return fields.some((field) => isShown(field, state))
  })
}

/** A field that the simplified view may leave out; never when it is required, invalid or filled. */
export function Shown({ field, children }: { field: string | readonly string[]; children: ReactNode }) {
  return useShown(typeof field === 'string' ? [field] : field) ? children : null
}
