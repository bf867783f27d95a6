import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { api, unwrap } from '@/api/client'
import { ProblemError } from '@/api/problem'
import type { SavedView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { Checkbox, TextInput } from '@/ui/field/inputs'
import { faultText, problemText } from '@/records/problem-text'

/** The longest name of a view, in characters. */
const maxName = 60

/** Asks for the name of a view, and whether the others of the structure see it too. */
export default function NameViewDialog({
  view,
  resource,
  query,
  columns,
  onClose,
  onSaved,
}: {
  /** `null`: a new one. */
  view: SavedView | null
  resource: string
  query: string
  columns: readonly string[]
  onClose: () => void
  onSaved: (view: SavedView) => void
}) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const keep = useMutation({
    mutationFn: () => {
      const words = { name: name.trim(), shared }
      return view === null
        ? unwrap(api.POST('/api/v1/saved-views', { body: { resource, ...words, query, columns: [...columns] } }))
        : unwrap(api.PATCH('/api/v1/saved-views/{id}', { params: { path: { id: view.id } }, body: words }))
    },
    onSuccess: async (saved) => {
      await cache.invalidateQueries({ queryKey: ['saved-views', resource] })
      toast({ text: t('list.viewKept', { name: name.trim() }) })
      onClose()
      onSaved(saved)
    },
  })
  const form = useId()
  const nameless = name.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!nameless && !keep.isPending) keep.mutate()
  }
  const title = t(view === null ? 'list.keepView' : 'list.renameView')
  const fault = keep.error instanceof ProblemError ? keep.error.faults[0] : undefined
  const error = fault !== undefined ? faultText(fault) : keep.error ? problemText(keep.error) : undefined
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            form={form}
            look="primary"
            busy={keep.isPending}
            disabledReason={nameless ? t('list.nameFirst') : undefined}
          >
            {title}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} style={{ display: 'grid', gap: 12 }}>
        <Field label={t('list.viewName')} error={error} count={{ now: name.trim().length, max: maxName }}>
          {(wiring) => <TextInput {...wiring} value={name} onChange={setName} data-autofocus />}
        </Field>
        <Checkbox checked={shared} onChange={setShared} label={t('list.shareView')} />
      </form>
    </Dialog>
  )
}
