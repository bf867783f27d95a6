import { type ComponentType, type ReactNode, useMemo } from 'react'
import type { Parcours } from '@/api/types'
import { type Sheet, SheetProvider, useSheet } from '@/features/parcours/sheet/context'
import { type SheetValues, toValues } from '@/features/parcours/sheet/values'
import { ResourceForm } from '@/records/form/ResourceForm'
import { type ResourceFormOptions, useResourceForm } from '@/records/form/useResourceForm'

interface Options {
  save?: ResourceFormOptions<Parcours, SheetValues>['save']
  advanced?: boolean
}

const nothing = () => undefined
const refuseToSave = () => Promise.reject(new Error('this test saves no parcours'))

/** A page with a part of the sheet of a parcours. */
export function inSheet(parcours: Parcours, Part: ComponentType, { save = refuseToSave, advanced = true }: Options = {}) {
  return function Page() {
    const form = useResourceForm<Parcours, SheetValues>({
      kind: 'parcours',
      record: parcours,
      toValues: (record) => toValues(record ?? parcours),
      save,
    })
    const sheet = useMemo<Sheet>(
      () => ({ parcours, form, trace: null, advanced, setAdvanced: nothing, goTo: nothing, openTab: nothing, cacheRecord: nothing }),
      [form],
    )
    return (
      <SheetProvider value={sheet}>
        <Part />
      </SheetProvider>
    )
  }
}

/** The form of the sheet, around a part with fields. */
export function SheetForm({ children }: { children: ReactNode }) {
  const { form } = useSheet()
  return (
    <ResourceForm form={form} saveError="Erreur lors de la sauvegarde du parcours" fieldLabel={(path) => path}>
      {children}
    </ResourceForm>
  )
}
