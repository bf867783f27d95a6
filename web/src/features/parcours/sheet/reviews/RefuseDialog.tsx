import { useState } from 'react'
import { objections, type Objection, type ReviewDecision } from '@/api/types'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Field } from '@/ui/field/Field'
import { Radios, TextArea } from '@/ui/field/inputs'
import classes from './reviews.module.css'

interface Props {
  opened: boolean
  onClose: () => void
  onRefuse: (decision: ReviewDecision) => Promise<unknown>
}

/** Why a review is refused: the reason is stored and mailed to its author. A low rating is no reason. */
export function RefuseDialog({ opened, onClose, onRefuse }: Props) {
  const { t } = useTranslation('reviews')
  const [reason, setReason] = useState<Objection | null>(null)
  const [words, setWords] = useState('')
  const blocked = reason === null ? t('refuseNeedsReason') : reason === 'other' && words.trim() === '' ? t('refuseNeedsWords') : undefined
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      danger
      title={t('refuseTitle')}
      confirm={t('refuseConfirm')}
      {...(blocked !== undefined && { blocked })}
      onConfirm={async () => {
        if (reason === null) return
        await onRefuse({ action: 'refuse', reason, words }).then(onClose, () => undefined)
      }}
    >
      <div className={classes['stack']}>
        <p>{t('refuseText')}</p>
        <Radios
          label={t('refuseReason')}
          value={reason}
          onChange={setReason}
          choices={objections.map((value) => ({ value, label: t(`objection.${value}`) }))}
        />
        <Field label={t('refuseWords')} hint={t('refuseWordsHint')} required={reason === 'other'}>
          {(wiring) => <TextArea {...wiring} value={words} onChange={setWords} maxLength={500} rows={3} />}
        </Field>
      </div>
    </ConfirmDialog>
  )
}
