import { type FormEvent, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Field } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'
import { ignoreGap } from '../editor/actions'
import { useEditor } from '../editor/context'
import type { ShownGap } from '../editor/shown'

/** The server takes no longer reason. */
const REASON_CHARS = 500

/** A gap is ignored with a reason, so that later editors know why. */
export function IgnoreDialog({ gap, onClose }: { gap: ShownGap; onClose: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const [reason, setReason] = useState('')
  const [attempted, setAttempted] = useState(false)
  const missing = reason.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAttempted(true)
    if (missing) return
    ignoreGap(editor, gap, reason.trim())
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('reliability.ignoreTitle', { letter: gap.letter })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form="ignore" look="primary">
            {t('reliability.ignoreGo')}
          </Button>
        </>
      }
    >
      <form id="ignore" onSubmit={submit} noValidate>
        <Field
          label={t('reliability.reason')}
          hint={t('reliability.reasonHint')}
          required
          error={attempted && missing ? t('reliability.reasonMissing') : undefined}
        >
          {(wiring) => <TextArea {...wiring} value={reason} onChange={setReason} maxLength={REASON_CHARS} data-autofocus />}
        </Field>
      </form>
    </Dialog>
  )
}
