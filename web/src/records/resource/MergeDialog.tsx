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
import { forgetRecord } from './queries'
import classes from './resource.module.css'

/** A record that can be merged into another one. */
export interface Mergeable {
  id: number
  version: number
  title: string
}

/** A record that may be kept. */
export interface MergeChoice extends Choice {
  /** What tells it apart: below the list too, where it wraps; a narrow list cuts its line. */
  facts?: string
}

export interface MergeDialogProps {
  base: RecordsPath
  queryKey: readonly string[]
  record: Mergeable
  /** The records that may be kept. */
  choices: readonly MergeChoice[]
  /** The records that may be merged into `record`, where `record` itself is one of the choices. */
  others?: readonly Mergeable[]
  /** The initial choice. */
  into?: number
  onClose: () => void
  /** Called after the merge, to leave the page of the record that is in the bin. */
  onMerged?: (into: number) => Promise<void> | undefined
}

/** Merges a record into another one, or another one into it: all links point to the kept record, and the merged record goes to the bin. */
export default function MergeDialog({ base, queryKey, record, choices, others = [], into, onClose, onMerged }: MergeDialogProps) {
  const { t } = useTranslation('resource')
  const cache = useQueryClient()
  const [target, setTarget] = useState<string | null>(into === undefined ? null : String(into))
  const [goes, setGoes] = useState(others[0]?.id)
  const name =
    [record, ...others].find(({ id }) => String(id) === target)?.title ?? choices.find(({ value }) => value === target)?.label ?? ''
  const factsOf = (id: string | null) => choices.find(({ value }) => value === id)?.facts
  const keepsThis = target === String(record.id)
  const merged = (keepsThis && others.find(({ id }) => id === goes)) || record
  const send = useMutation({
    mutationFn: (kept: number) => resourceApi(base).merge(merged.id, merged.version, kept),
    onSuccess: async (_, kept) => {
      onClose()
      await onMerged?.(kept)
      await forgetRecord(cache, [...queryKey, merged.id])
      toast({ text: t('merge.done', { title: merged.title, into: name }) })
    },
    // Another user saved one of them meanwhile: the next try sends the present versions.
    onError: () => void cache.invalidateQueries({ queryKey }),
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('merge.title', { title: merged.title })}
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
        <Field label={t('merge.into')} hint={factsOf(target)} required>
          {(wiring) => <SelectInput {...wiring} value={target} onChange={setTarget} choices={choices} empty={t('common:form.choose')} />}
        </Field>
        {keepsThis && others.length > 1 && (
          <Field label={t('merge.goes')} hint={factsOf(String(goes))} required>
            {(wiring) => (
              <SelectInput
                {...wiring}
                value={String(goes)}
                onChange={(id) => setGoes(Number(id))}
                choices={choices.filter(({ value }) => others.some(({ id }) => String(id) === value))}
              />
            )}
          </Field>
        )}
        <p className="small muted">{t('merge.text', { title: merged.title })}</p>
      </div>
    </ConfirmDialog>
  )
}
