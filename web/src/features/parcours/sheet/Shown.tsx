import { useSyncExternalStore, type ReactNode } from 'react'
import { useSheet } from './context'
import { isShown } from './visibility'

/** Whether the chosen view (simplified or advanced) shows any of these fields. */
export function useShown(fields: readonly string[]): boolean {
  const { form, advanced: isOn, parcours } = useSheet()
  // Readers see the simplified view: empty fields tell them nothing.
  const advanced = isOn && parcours.editable
  const { store } = form
  return useSyncExternalStore(store.subscribe, () => {
    const state = { advanced, values: store.values, faults: store.faultPaths(), dirty: store.dirtyPaths() }
    return fields.some((field) => isShown(field, state))
  })
}

/** Renders a field only if the view shows it; a required, invalid or filled field is always shown. */
export function Shown({ field, children }: { field: string | readonly string[]; children: ReactNode }) {
  return useShown(typeof field === 'string' ? [field] : field) ? children : null
}
