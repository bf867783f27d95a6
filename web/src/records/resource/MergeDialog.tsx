import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceApi, type RecordsPath } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput, type Choice } from '@/ui/field/inputs'
import { problemText } from '@/records/problem-text'
import classes from './resource.module.css'

export interface MergeDialogProps {
  base: RecordsPath
  record: { id: number; version: number }
  title: string
  /** The records into which it may be merged. */
  choices: readonly Choice[]
  /** The initial choice. */
  into?: number
  onClose: () => void
  onMerged?: (into: number) => void
}

/** Merges a record into another one: all links point to the other one, and the merged record goes to the bin. */
export default function MergeDialog({ base, record, title, choices, into, onClose, onMerged }: MergeDialogProps) {
  const { t } = useTranslation('resource')
  const cache = useQueryClient()
  const [target, setTarget] = useState<string | null>(into === undefined ? null : String(into))
  const name = choices.find(({ value }) => value === target)?.label
  const send = useMutation({
    mutationFn: (other: number) => resourceApi(base).merge(record.id, record.version, other),
    onSuccess: async (_, other) => {
      onClose()
      onMerged?.(other)
      await cache.invalidateQueries()
      toast({ text: t('merge.done', { title, into: name ?? '' }) })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('merge.title', { title })}
      confirm={t('merge.go')}
      {...(target === null ? { blocked: t('merge.chooseFirst') } : {})}
      onConfirm={() => send.mutateAsync(Number(target)).catch(() => undefined)}
    >
      <div className={classes['stack']}>
        {send.error && (
          <Banner tone="danger" live="alert">
            {t('because', { what: t('merge.failed'), why: problemText(send.error) })}
          </Banner>
        )}
        <Field label={t('merge.into')} required>
          {(wiring) => <SelectInput {...wiring} value={target} onChange={setTarget} choices={choices} empty={t('common:form.choose')} />}
        </Field>
        <p className="small muted">{t('merge.text', { title })}</p>
      </div>
    </ConfirmDialog>
  )
}
