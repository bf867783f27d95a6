import { useState } from 'react'
import type { ParcoursRow } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { textOf } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import { useRowActions } from './actions'

/** A copy needs a title of its own. */
export function DuplicateDialog({ row, onClose }: { row: ParcoursRow; onClose: () => void }) {
  const { t } = useTranslation('parcours')
  const { duplicate } = useRowActions()
  const [title, setTitle] = useState(t('duplicate.proposed', { title: textOf(row.title) }))
  const [asked, setAsked] = useState(false)
  const missing = title.trim() === '' ? t('duplicate.titleRequired') : undefined
  const error = asked && missing ? missing : duplicate.error ? `${t('failed.duplicate')} ${problemText(duplicate.error)}` : undefined
  const confirm = () => {
    setAsked(true)
    if (!missing) duplicate.mutate({ row, title: title.trim() }, { onSuccess: onClose })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('duplicate.heading', { title: textOf(row.title) })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={duplicate.isPending} onClick={confirm}>
            {t('duplicate.confirm')}
          </Button>
        </>
      }
    >
      <Field label={t('duplicate.title')} required {...(error ? { error } : {})}>
        {(wiring) => <TextInput {...wiring} value={title} onChange={setTitle} data-autofocus />}
      </Field>
    </Dialog>
  )
}
