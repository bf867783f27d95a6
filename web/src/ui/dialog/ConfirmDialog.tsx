import { useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { Dialog } from './Dialog'

export interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** The verb with its object: « Publier 3 parcours ». */
  confirm: string
  onConfirm: () => void | Promise<unknown>
  /** The label of the button that closes the dialog, if « Annuler » could be read as the action: « Garder la tâche ». */
  dismiss?: string
  /** A destructive action: its button is red and does not get the initial focus. */
  danger?: boolean
  /** The words that must be typed first (the title of the deleted record). */
  typed?: string | undefined
  /** Why it can't be confirmed yet. */
  blocked?: string
  /** Other actions that are possible instead. */
  alternative?: ReactNode
  children?: ReactNode
}

/** A text for comparison with a typed one: plain apostrophes and spaces, composed letters, lower case. */
const plain = (words: string): string =>
  words
    .normalize('NFC')
    .toLocaleLowerCase()
    .replace(/[‘’ʼ′`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/** Asks for confirmation of an action that cannot be undone, and lists its effects. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  confirm,
  onConfirm,
  dismiss,
  danger = false,
  typed,
  blocked,
  alternative,
  children,
}: ConfirmDialogProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [words, setWords] = useState('')
  const [wanted, given] = [plain(typed ?? ''), plain(words)]
  const missing = typed !== undefined && given !== wanted
  // The beginning of the title is no fault yet.
  const differs = missing && !wanted.startsWith(given)
  const press = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } finally {
      setBusy(false)
      setWords('')
    }
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose} data-autofocus={danger || undefined}>
            {dismiss ?? t('cancel')}
          </Button>
          {alternative}
          <Button
            look={danger ? 'danger' : 'primary'}
            busy={busy}
            disabledReason={blocked ?? (missing ? t(differs ? 'confirm.typeDiffers' : 'confirm.typeFirst') : undefined)}
            onClick={() => void press()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <div style={{ marginTop: 16 }}>
          <Field label={t('confirm.typeTitle', { title: typed })} error={differs ? t('confirm.typeDiffers') : undefined}>
            {(wiring) => <TextInput {...wiring} value={words} onChange={setWords} autoComplete="off" />}
          </Field>
        </div>
      )}
    </Dialog>
  )
}
