import { useState, type ReactNode } from 'react'
import type { Impact } from '@/api/types'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { readImpact, reaches, type ImpactAction, type ImpactKind } from './impact'
import { ImpactList } from './ImpactNote'

interface Guarded {
  kind: ImpactKind
  action: ImpactAction
  title: string
  confirm: string
}

/** Asks for confirmation before an action that affects others; any other action runs at once. */
export function useImpactGuard({ kind, action, title, confirm }: Guarded): {
  ask: (id: number, run: () => void) => void
  dialog: ReactNode
} {
  const [pending, setPending] = useState<{ impact: Impact; run: () => void } | null>(null)
  const close = () => setPending(null)
  return {
    ask: (id, run) =>
      void readImpact(kind, id, action).then((impact) => (impact !== null && reaches(impact) ? setPending({ impact, run }) : run())),
    dialog: pending && (
      <ConfirmDialog
        opened
        onClose={close}
        title={title}
        confirm={confirm}
        onConfirm={() => {
          pending.run()
          close()
        }}
      >
        <ImpactList impact={pending.impact} />
      </ConfirmDialog>
    ),
  }
}
