import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Field } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'

interface Props {
  opened: boolean
  onClose: () => void
  answer: string
  onAnswer: (text: string) => Promise<unknown>
}

/** The answer shown below a review, and mailed to its author; emptied, it is taken back. */
export function AnswerDialog({ opened, onClose, answer, onAnswer }: Props) {
  const { t } = useTranslation('reviews')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? answer
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('answerTitle')}
      confirm={t(text.trim() === '' && answer !== '' ? 'answerTakeBack' : 'answerConfirm')}
      {...(text.trim() === answer.trim() && { blocked: t('answerFirst') })}
      onConfirm={() =>
        onAnswer(text).then(
          () => {
            setTyped(null)
            onClose()
          },
          () => undefined,
        )
      }
    >
      <Field label={t('answerLabel')} hint={t('answerHint')} count={{ now: text.length, max: 2000 }}>
        {(wiring) => <TextArea {...wiring} value={text} onChange={setTyped} maxLength={2000} rows={6} data-autofocus />}
      </Field>
    </ConfirmDialog>
  )
}
