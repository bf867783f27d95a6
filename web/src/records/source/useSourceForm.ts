import { useRef } from 'react'
import { asBytes, ifMatch } from '@/api/client'
import { resourceApi, type RecordsPathOf } from '@/api/resource'
import type { Values } from '@/records/form/paths'
import { useResourceForm, type ResourceForm, type Versioned } from '@/records/form/useResourceForm'

interface Options<R extends Versioned> {
  /** The kind of record: names its drafts. */
  kind: string
  base: RecordsPathOf<R>
  sendFile: (saved: R, file: File) => Promise<R>
  record: R | null
  /** The settings of the source; its file is added here. */
  toValues: (record: R | null) => Values
  /** The changed values in the shape in which they are sent; `all` has every value of the form. */
  toBody?: (patch: Values, all: Values) => Values
  /** Called after a source was created: stores its key, starts its first run. */
  onMade?: (made: R) => Promise<unknown>
  onSaved: (saved: R, before: R | null) => void
  /** Opens the tab or the step of a refused field. */
  reveal?: (path: string) => void
}

/** A file sent for a record, in the version that was seen. */
export const fileOf = ({ id, version }: Versioned, file: File) => ({
  params: { path: { id }, header: ifMatch(version), query: { file_name: file.name } },
  ...asBytes,
  body: file,
})

/** An empty text is no text. */
const emptied = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value]))

/** The form of a source of records: a resource form whose record also has a file, which is sent after the other values. */
export function useSourceForm<R extends Versioned>({
  kind,
  base,
  sendFile,
  record,
  toValues,
  toBody = (patch) => patch,
  onMade,
  onSaved,
  reveal,
}: Options<R>): ResourceForm<R, Values> {
  const api = resourceApi<R>(base)
  // Made already, though its file was refused: a second try does not make a second one.
  const made = useRef<R | null>(null)
  const form: ResourceForm<R, Values> = useResourceForm<R, Values>({
    kind,
    record,
    toValues: (source) => ({ ...toValues(source), file: null }),
    titleOf: ({ name }) => (typeof name === 'string' ? name : ''),
    save: async (patch, version) => {
      const all = form.store.values
      const file: unknown = all['file']
      const { file: _, ...rest } = record === null ? all : patch
      const body = emptied(toBody(rest, all))
      const there = record ?? made.current
      const at = there === null ? null : { ...there, version: record === null ? there.version : (version ?? there.version) }
      let saved = at === null ? await api.create(body) : Object.keys(body).length === 0 ? at : await api.save(at.id, at.version, body)
      if (record === null) made.current = saved
      if (file instanceof File && (all['url'] ?? '') === '') {
        saved = await sendFile(saved, file)
        if (record === null) made.current = saved
      }
      if (record === null) await onMade?.(saved)
      return saved
    },
    ancestor: async (version) => ({ ...(record as R), ...(await api.revision(record?.id ?? 0, version)).record }),
    onSaved: (saved) => onSaved(saved, record),
    onOther: () => {
      made.current = null
    },
    ...(reveal === undefined ? {} : { reveal }),
  })
  return form
}
