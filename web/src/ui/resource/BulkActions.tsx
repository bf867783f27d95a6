import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CatalogueRecord } from '@/api/resource'
import type { BulkReport } from '@/api/model'
import { textFor, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Dialog } from '@/ui/dialog/Dialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import type { ListControl } from '@/ui/list/useListState'
import { problemText } from '@/ui/problem-text'
import { apiOf, type BulkAction, type ResourceDef } from './define'
import classes from './resource.module.css'

interface Choice {
  action: BulkAction
  value: unknown
}

/** The actions over the ticked rows: each says what it would do, then can be undone. */
export function BulkActions<R extends CatalogueRecord, L extends { id: number; version: number }>({ def, actions, list }: { def: ResourceDef<R, L>; actions: readonly BulkAction[]; list: ListControl }) {
  const { t } = useTranslation('resource')
  const cache = useQueryClient()
  const [asking, setAsking] = useState<BulkAction | null>(null)
  const [planned, setPlanned] = useState<{ choice: Choice; report: BulkReport } | null>(null)
  const renew = () => cache.invalidateQueries({ queryKey: [...def.queryKey] })
  const failed = (error: unknown) => toastError(t('because', { what: t('bulk.failed'), why: problemText(error) }))
  const { page: _page, per_page: _size, sort: _sort, ...asked } = list.query
  const filter = Object.fromEntries(Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
  const target = list.selection.everything ? { filter } : { ids: [...list.selection.ids] }
  const send = ({ action, value }: Choice, dry_run: boolean) => apiOf(def).bulk({ ...target, action: action.action, ...(value === undefined ? {} : { value }), dry_run })
  const ask = useMutation({
    mutationFn: (choice: Choice) => send(choice, true),
    onSuccess: (report, choice) => {
      setAsking(null)
      setPlanned({ choice, report })
    },
    onError: failed,
  })
  const undo = useMutation({
    mutationFn: (token: string) => apiOf(def).undoBulk(token),
    onSuccess: () => {
      toast({ text: t('bulk.undone') })
      return renew()
    },
    onError: failed,
  })
  const apply = useMutation({
    mutationFn: (choice: Choice) => send(choice, false),
    onSuccess: ({ undo_token: token }) => {
      setPlanned(null)
      list.clearSelection()
      toast({ text: t('bulk.done'), ...(token === undefined ? {} : { action: { label: t('common:cancel'), run: () => undo.mutate(token) } }) })
      return renew()
    },
    onError: failed,
  })
  return (
    <>
      {actions.map((action) => (
        <button key={action.label} type="button" onClick={() => (action.Ask === undefined ? ask.mutate({ action, value: action.value }) : setAsking(action))}>
          {action.label}
        </button>
      ))}
      {asking?.Ask !== undefined && <Ask action={asking} Input={asking.Ask} busy={ask.isPending} onClose={() => setAsking(null)} onAnswer={(value) => ask.mutate({ action: asking, value })} />}
      {planned !== null && (
        <ConfirmDialog
          opened
          onClose={() => setPlanned(null)}
          title={planned.choice.action.label}
          confirm={t('bulk.confirm', { count: planned.report.applied })}
          onConfirm={() => apply.mutateAsync(planned.choice).catch(() => undefined)}
        >
          <p>{format.list([t('bulk.applied', { count: planned.report.applied }), t('bulk.unchanged', { count: planned.report.unchanged }), t('bulk.refused', { count: planned.report.refused })])}</p>
          <Refused items={planned.report.items} />
        </ConfirmDialog>
      )}
    </>
  )
}

function Ask({ action, Input, busy, onClose, onAnswer }: { action: BulkAction; Input: NonNullable<BulkAction['Ask']>; busy: boolean; onClose: () => void; onAnswer: (value: unknown) => void }) {
  const { t } = useTranslation('resource')
  const [value, setValue] = useState<unknown>(undefined)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={action.label}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={busy} disabledReason={value === undefined ? t('bulk.valueFirst') : undefined} onClick={() => onAnswer(value)}>
            {t('bulk.preview')}
          </Button>
        </>
      }
    >
      <Input value={value} onChange={setValue} />
    </Dialog>
  )
}

function Refused({ items }: { items: BulkReport['items'] }) {
  const refused = items.filter(({ outcome }) => outcome === 'refused').slice(0, 12)
  if (refused.length === 0) return null
  return (
    <ul className={classes['refused']}>
      {refused.map(({ id, title, code }) => (
        <li key={id}>
          {textOf(title)}
          {code !== undefined && `\u00a0: ${textFor(`errors:${code}`, {}) ?? code}`}
        </li>
      ))}
    </ul>
  )
}
