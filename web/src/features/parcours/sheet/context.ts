import { createContext, useContext } from 'react'
import type { Parcours, Trace } from '@/api/types'
import type { ResourceForm } from '@/records/form/useResourceForm'
import type { TabKey } from './tabs'
import type { SheetValues } from './values'

/** The values shared by every part of the sheet. */
export interface Sheet {
  parcours: Parcours
  form: ResourceForm<Parcours, SheetValues>
  /** The lines of the trace; `null` without one, `undefined` while they come. */
  trace: Trace | null | undefined
  advanced: boolean
  setAdvanced: (advanced: boolean) => void
  /** Opens the tab of a field and puts the focus on the field. */
  goTo: (path: string) => void
  openTab: (tab: TabKey) => void
  /** Replaces the cached record by the server's answer. */
  cacheRecord: (parcours: Parcours) => void
}

const Current = createContext<Sheet | null>(null)
export const SheetProvider = Current.Provider

/** The sheet that contains this component. */
export function useSheet(): Sheet {
  const sheet = useContext(Current)
  if (sheet === null) throw new Error('a part of the sheet is rendered outside of it')
  return sheet
}
