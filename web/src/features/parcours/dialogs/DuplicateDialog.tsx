import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { ProblemError } from '@/api/problem'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { textOf } from '@/ui/format'
import { focusFirstFault } from '@/records/form/focus'
import { faultText, problemText } from '@/records/problem-text'
import { ParcoursPicker } from '../sheet/ParcoursPicker'
import { duplicate, parcoursQuery } from '../sheet/queries'
import type { Named } from './DeleteDialog'
import classes from './dialogs.module.css'

/** The title of the copy: the sheet below has a field `title` too. */
const titlePath = 'duplicate.title'

/** A copy under another title, its empty fields taken from a model when one is chosen. Its words are those of `sheet`. */
export default function DuplicateDialog({ parcours, unsaved = 0, onClose }: { parcours: Named; unsaved?: number; onClose: () => void }) {
  const { t } = useTranslation('sheet')
  const [title, setTitle] = useState(() => t('duplicate.copyOf', { title: textOf(parcours.title, '') }).trim())
  const [model, setModel] = useState<number | null>(null)
  const [refused, setRefused] = useState<string | undefined>()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const send = useMutation({
    mutationFn: () => duplicate(parcours.id, title.trim(), model),
    onSuccess: (copy) => {
      cache.setQueryData(parcoursQuery(copy.id).queryKey, copy)
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'parcours' && typeof queryKey[1] !== 'number' })
      toast({ text: t('done.duplicated') })
      onClose()
      void navigate({ to: '/parcours/$id', params: { id: String(copy.id) }, search: { tab: 'information' } })
    },
    onError: (error) => {
      const [fault] = error instanceof ProblemError ? error.faults.filter(({ field }) => field === '/title') : []
      setRefused(fault === undefined ? undefined : faultText(fault))
      if (fault !== undefined) focusFirstFault([titlePath])
    },
  })
  const submit = () => {
    if (title.trim() !== '') return send.mutate()
    setRefused(t('duplicate.titleRequired'))
    focusFirstFault([titlePath])
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('duplicate.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={send.isPending} onClick={submit}>
            {t('duplicate.go')}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className={classes['body']}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {send.error !== null && refused === undefined && (
          <Banner tone="danger" live="alert">
            {t('error.because', { what: t('error.duplicate'), why: problemText(send.error) })}
          </Banner>
        )}
        {unsaved > 0 && <Banner tone="warn">{t('duplicate.unsaved', { count: unsaved })}</Banner>}
        <Field label={t('duplicate.newTitle')} required error={refused} path={titlePath}>
          {(wiring) => (
            <TextInput
              {...wiring}
              data-autofocus
              autoComplete="off"
              value={title}
              onChange={(value) => {
                setTitle(value)
                setRefused(undefined)
              }}
            />
          )}
        </Field>
        <ParcoursPicker
          label={t('duplicate.model')}
          hint={t('duplicate.modelHint')}
          relation="model_only"
          value={model}
          onChange={setModel}
          except={parcours.id}
        />
      </form>
    </Dialog>
  )
}
