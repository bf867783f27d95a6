import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { useMe } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { FileInput } from '@/ui/field/FileInput'
import { Segments, SelectInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { importReport } from './statistics'
import classes from './statistics.module.css'

const stores = ['app_store', 'play_store'] as const

interface ReportDialogProps {
  opened: boolean
  onClose: () => void
  whiteLabel: number
}

/** Takes in a report of App Store Connect or of Play Console; its faults are shown with their line. */
export function ReportDialog({ opened, onClose, whiteLabel }: ReportDialogProps) {
  const { t } = useTranslation('statistics')
  const me = useMe()
  const cache = useQueryClient()
  const [store, setStore] = useState<(typeof stores)[number]>('app_store')
  const [chosen, setChosen] = useState<number | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [missing, setMissing] = useState(false)
  const of = chosen ?? whiteLabel
  const send = useMutation({
    mutationFn: (report: File) => importReport(of, store, report),
    onSuccess: async ({ rows, from, to, installs }) => {
      await cache.invalidateQueries({ queryKey: ['statistics'] })
      toast({
        text: t('apps.done', { rows: format.number(rows), from: format.day(from), to: format.day(to), installs: format.number(installs) }),
      })
      setFile(null)
      onClose()
    },
  })
  const submit = () => {
    setMissing(file === null)
    if (file !== null) send.mutate(file)
  }
  const actions = (
    <>
      <Button look="ghost" onClick={onClose}>
        {t('apps.cancel')}
      </Button>
      <Button look="primary" busy={send.isPending} onClick={submit}>
        {t('apps.send')}
      </Button>
    </>
  )
  return (
    <Dialog opened={opened} onClose={onClose} title={t('apps.importTitle')} actions={actions}>
      <div className={classes['form']}>
        <p className="muted">{t('apps.importLead')}</p>
        <Segments
          label={t('apps.store')}
          value={store}
          onChange={setStore}
          choices={stores.map((value) => ({ value, label: t(`apps.${value}`) }))}
        />
        {me.white_labels.length > 1 && (
          <Field label={t('whiteLabel')}>
            {(wiring) => (
              <SelectInput
                {...wiring}
                value={String(of)}
                choices={me.white_labels.map(({ id, name }) => ({ value: String(id), label: name }))}
                onChange={(id) => setChosen(Number(id))}
              />
            )}
          </Field>
        )}
        <Field label={t('apps.file')} required error={missing && file === null ? t('apps.fileRequired') : undefined}>
          {(wiring) => <FileInput {...wiring} value={file} onChange={setFile} accept=".csv,.tsv,.txt,text/csv" />}
        </Field>
        {send.error && (
          <Banner tone="danger" live="alert">
            {problemText(send.error)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
