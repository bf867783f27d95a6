import { useEffect, useRef, useState } from 'react'
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS } from '@/api/table'
import { useTranslation } from '@/i18n'
import { decodeText, readCsv, type CsvRow } from '@/records/table/csv'
import { Field } from '@/ui/field/Field'
import { FileInput } from '@/ui/field/FileInput'
import { SelectInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import classes from './attach.module.css'
import { columnsOf, type Columns } from './match'

/** A table that was read, with the columns that are used. */
export interface Table {
  name: string
  rows: readonly CsvRow[]
  columns: Columns
}

/** The file of a table, and its two columns. */
export function TableFields({ table, onChange }: { table: Table | null; onChange: (table: Table | null) => void }) {
  const { t } = useTranslation('attach')
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | undefined>(undefined)
  /** The file that is being read; an answer about another one, or after this part of the page is gone, comes too late. */
  const latest = useRef<File | null>(null)
  useEffect(
    () => () => {
      latest.current = null
    },
    [],
  )
  const limits = { size: format.bytes(MAX_TABLE_BYTES), rows: MAX_TABLE_ROWS }
  const read = async (chosen: File | null) => {
    if (chosen === null) return
    setFile(chosen)
    latest.current = chosen
    const refuse = (why: string) => {
      setFault(why)
      onChange(null)
    }
    if (chosen.size > MAX_TABLE_BYTES) return refuse(t('table.tooLarge', limits))
    try {
      const content = new Uint8Array(await chosen.arrayBuffer())
      if (latest.current !== chosen) return
      const rows = readCsv(decodeText(content))
      if (rows.length > MAX_TABLE_ROWS) return refuse(t('table.tooLarge', limits))
      if (Math.max(0, ...rows.map(({ cells }) => cells.length)) < 2) return refuse(t('table.empty'))
      setFault(undefined)
      onChange({ name: chosen.name, rows, columns: columnsOf(rows) })
    } catch {
      if (latest.current === chosen) refuse(t('table.unreadable'))
    }
  }
  return (
    <div className={classes['table-fields']}>
      <Field label={t('table.file')} hint={t('table.fileHint', limits)} error={fault}>
        {(wiring) => <FileInput {...wiring} value={file} onChange={(chosen) => void read(chosen)} accept=".csv,.tsv,.txt,text/csv" />}
      </Field>
      {table !== null && (
        <>
          <p className="small" role="status">
            {t('table.read', { name: table.name, count: table.rows.length - (table.columns.header === null ? 0 : 1) })}
          </p>
          <div className={classes['columns']}>
            <ColumnField label={t('table.columnFile')} table={table} name="file" onChange={onChange} />
            <ColumnField label={t('table.columnRecord')} table={table} name="record" onChange={onChange} />
          </div>
        </>
      )}
    </div>
  )
}

interface ColumnFieldProps {
  label: string
  table: Table
  name: 'file' | 'record'
  onChange: (table: Table) => void
}

function ColumnField({ label, table, name, onChange }: ColumnFieldProps) {
  const { t } = useTranslation('attach')
  const { header } = table.columns
  const width = Math.max(...table.rows.map(({ cells }) => cells.length))
  const choices = Array.from({ length: width }, (_, at) => ({
    value: String(at),
    label: header?.[at] || t('table.column', { count: at + 1 }),
  }))
  return (
    <Field label={label}>
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={String(table.columns[name])}
          choices={choices}
          onChange={(at) => at !== null && onChange({ ...table, columns: { ...table.columns, [name]: Number(at) } })}
        />
      )}
    </Field>
  )
}
