import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RecordsPath } from '@/api/resource'
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS, sendTable, undoTable } from '@/api/table'
import type { BulkReport, TableReport } from '@/api/types'
import { currentLocale, useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Checkbox } from '@/ui/field/inputs'
import { isFocusLost } from '@/ui/focus'
import { format } from '@/ui/format'
import { Report, useSummary } from './Report'
import classes from './table.module.css'

interface TableImportProps {
  base: RecordsPath
  queryKey: readonly string[]
  labelOf: ((column: string) => string | undefined) | undefined
  opened: boolean
  onClose: () => void
}

interface Read {
  file: File
  report: TableReport
}

/** A table taken back: its file, the differences with the records, then the writing and its undo. */
export default function TableImport({ base, queryKey, labelOf, opened, onClose }: TableImportProps) {
  const { t } = useTranslation('table')
  const cache = useQueryClient()
  const summary = useSummary()
  const [read, setRead] = useState<Read | null>(null)
  const [conflicts, setConflicts] = useState<'skip' | 'write'>('skip')
  const [done, setDone] = useState<TableReport | null>(null)
  const [undone, setUndone] = useState<BulkReport | null>(null)
  const [tooLarge, setTooLarge] = useState(false)
  const renew = () => cache.invalidateQueries({ queryKey: [...queryKey] })
  const look = useMutation({
    mutationFn: async ({ file, how }: { file: File; how: 'skip' | 'write' }) => ({
      file,
      report: await sendTable(base, file, { conflicts: how, lang: currentLocale() }),
    }),
    onSuccess: setRead,
  })
  const write = useMutation({
    mutationFn: ({ file, report }: Read) => sendTable(base, file, { token: report.token ?? undefined, conflicts, lang: currentLocale() }),
    onSuccess: (report) => {
      setDone(report)
      return renew()
    },
  })
  const undo = useMutation({
    mutationFn: (token: string) => undoTable(base, token),
    onSuccess: (report) => {
      setUndone(report)
      return renew()
    },
  })
  const again = () => {
    setRead(null)
    setDone(null)
    setUndone(null)
    setConflicts('skip')
    setTooLarge(false)
    look.reset()
    write.reset()
    undo.reset()
  }
  const close = () => {
    onClose()
    again()
  }
  const take = (file: File | undefined) => {
    if (file === undefined) return
    look.reset()
    setTooLarge(file.size > MAX_TABLE_BYTES)
    if (file.size <= MAX_TABLE_BYTES) look.mutate({ file, how: 'skip' })
  }
  const turn = (write_: boolean) => {
    const how = write_ ? 'write' : 'skip'
    setConflicts(how)
    if (read !== null) look.mutate({ file: read.file, how })
  }
  const report = done ?? read?.report
  const ready = read === null ? 0 : read.report.changed + read.report.created
  const failed = look.error ?? write.error ?? undo.error
  const content = useRef<HTMLDivElement>(null)
  // The pressed button, or the field of the file, goes away with its step: what the next step says takes the focus.
  useEffect(() => {
    if (opened && isFocusLost()) content.current?.focus()
  })
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t('title')}
      size="large"
      mustAnswer={write.isPending}
      actions={
        done !== null ? (
          <>
            {typeof done.token === 'string' && undone === null && (
              <Button busy={undo.isPending} title={t('undoHint')} onClick={() => undo.mutate(done.token ?? '')}>
                {t('undo')}
              </Button>
            )}
            <Button look="primary" onClick={close}>
              {t('close')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={close}>{t('cancel')}</Button>
            {read !== null && (
              <>
                <Button onClick={again}>{t('another')}</Button>
                <Button
                  look="primary"
                  busy={write.isPending || look.isPending}
                  disabledReason={ready === 0 ? t('nothing') : undefined}
                  onClick={() => write.mutate(read)}
                >
                  {t('write', { count: ready })}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <div ref={content} tabIndex={-1} className={classes['import']}>
        {read === null && (
          <>
            <p className="muted">{t('lead')}</p>
            <DropPlace busy={look.isPending} onFile={take} />
          </>
        )}
        {tooLarge && (
          <Banner tone="danger" live="alert">
            {t('tooLarge', { size: format.bytes(MAX_TABLE_BYTES) })}
          </Banner>
        )}
        {failed !== null && (
          <Banner tone="danger" live="alert">
            {problemText(failed)}
          </Banner>
        )}
        {done !== null && undone === null && (
          <Banner tone="ok" live="status">
            {t('written', { summary: summary(done, ['changed', 'created']) })}
          </Banner>
        )}
        {undone !== null && (
          <Banner tone="ok" live="status">
            {t('undone', { count: undone.applied })} {undone.refused > 0 && t('undoneBut', { count: undone.refused })}
          </Banner>
        )}
        {report !== undefined && (
          <>
            {read !== null && done === null && (
              <p>
                {t('file')}
                {format.colon()}
                <strong>{read.file.name}</strong>
              </p>
            )}
            {done === null && (report.conflicts > 0 || conflicts === 'write') && (
              <Checkbox
                checked={conflicts === 'write'}
                onChange={turn}
                label={t('writeConflicts')}
                hint={t('writeConflictsHint')}
                disabled={look.isPending}
              />
            )}
            <Report report={report} labelOf={labelOf} />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Where the file is chosen or dropped: the field itself covers the place, and browsers take a dropped file into it. */
function DropPlace({ busy, onFile }: { busy: boolean; onFile: (file: File | undefined) => void }) {
  const { t } = useTranslation('table')
  return (
    <label className={classes['drop']} aria-busy={busy || undefined}>
      <input
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        disabled={busy}
        onChange={({ target }) => {
          onFile(target.files?.[0])
          target.value = ''
        }}
      />
      <strong>{t(busy ? 'reading' : 'drop')}</strong>
      <span className="small muted">{t('limits', { size: format.bytes(MAX_TABLE_BYTES), rows: format.number(MAX_TABLE_ROWS) })}</span>
    </label>
  )
}
