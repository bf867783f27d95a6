import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceApi, type RecordsPath } from '@/api/resource'
import { ProblemError } from '@/api/problem'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput, type Choice } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { impactKindOf, impactQuery } from '@/records/impact/impact'
import { ImpactNote } from '@/records/impact/ImpactNote'
import { problemText } from '@/records/problem-text'
import { RecordPicker } from '@/records/picker/RecordPicker'
import { forgetRecord } from './queries'
import classes from './resource.module.css'
import { UseList } from './UseList'

export interface RecordDeleteProps {
  base: RecordsPath
  queryKey: readonly string[]
  record: { id: number; version: number }
  title: string
  /** Whether the API has an operation that lists the uses of the record. */
  asksUses: boolean
  /** The possible replacements, if they are few; else they are searched. */
  choices?: readonly Choice[]
  onClose: () => void
  /** Called after the deletion, to leave the page of the record. */
  onDeleted?: () => Promise<unknown>
}

/** Deletes a record: lists its uses first, offers a replacement, and asks to type its title when something would break. */
export default function RecordDelete({ base, queryKey, record, title, asksUses, choices, onClose, onDeleted }: RecordDeleteProps) {
  const { t } = useTranslation('resource')
  const cache = useQueryClient()
  const [failed, setFailed] = useState<unknown>(null)
  const [other, setOther] = useState<number | null>(null)
  const api = resourceApi(base)
  const impactKind = impactKindOf(base)
  const known = useQuery({
    queryKey: [...queryKey, record.id, 'uses'],
    queryFn: () => api.uses(record.id),
    staleTime: 0,
    enabled: asksUses,
  })
  const uses = known.data?.items ?? []
  const total = known.data?.total ?? 0
  const send = useMutation({
    mutationFn: (how: { force?: boolean; replaceBy?: number }) => api.remove(record.id, record.version, how),
    onSuccess: async () => {
      await onDeleted?.()
      onClose()
      const impact = impactKind === undefined ? [] : [impactQuery(impactKind, record.id, 'delete').queryKey]
      await forgetRecord(cache, [...queryKey, record.id], ...impact)
      toast({ text: t('delete.done', { title }) })
    },
    onError: (error) => {
      // Something began to use it meanwhile: the list is asked for again and shown.
      if (error instanceof ProblemError && error.code.endsWith('/in-use')) void known.refetch()
      setFailed(error)
    },
  })
  const run = (how: { force?: boolean; replaceBy?: number }) => send.mutateAsync(how).catch(() => undefined)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      danger
      title={t('delete.title', { title })}
      confirm={t(total > 0 ? 'delete.anyway' : 'delete.go')}
      typed={total > 0 ? title : undefined}
      alternative={
        other !== null && total > 0 ? (
          <Button look="primary" busy={send.isPending} onClick={() => void run({ replaceBy: other })}>
            {t('delete.replace')}
          </Button>
        ) : undefined
      }
      onConfirm={() => run(total > 0 ? { force: true } : {})}
    >
      <div className={classes['stack']}>
        {(failed ?? known.error) !== null && (
          <Banner tone="danger" live="alert">
            {t('because', { what: t('delete.failed'), why: problemText(failed ?? known.error) })}
          </Banner>
        )}
        {impactKind !== undefined && <ImpactNote kind={impactKind} id={record.id} action="delete" />}
        {asksUses && known.isPending && <p className="muted">{t('delete.looking')}</p>}
        {known.isSuccess && total === 0 && <p>{t('delete.unused')}</p>}
        {total > 0 && (
          <>
            <p>{t('delete.used', { count: total, total: format.number(total) })}</p>
            <UseList uses={uses} total={total} hidden={known.data?.hidden_total ?? 0} />
            {choices === undefined ? (
              <RecordPicker
                label={t('delete.replaceBy')}
                base={base}
                queryKey={queryKey}
                value={other}
                onChange={setOther}
                without={record.id}
              />
            ) : (
              <Field label={t('delete.replaceBy')}>
                {(wiring) => (
                  <SelectInput
                    {...wiring}
                    value={other === null ? null : String(other)}
                    onChange={(id) => setOther(id === null ? null : Number(id))}
                    choices={choices}
                    empty={t('delete.keep')}
                  />
                )}
              </Field>
            )}
          </>
        )}
        <p className="small muted">{t('delete.bin')}</p>
      </div>
    </ConfirmDialog>
  )
}
