import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, unwrap } from '@/api/client'
import type { ImportMapping, ImportSource, ImportTarget, ImportWord } from '@/api/types'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { toast } from '@/ui/feedback/toast'
import type { ConflictWords } from '@/records/form/ConflictDialog'
import { same, type Values } from '@/records/form/paths'
import { plainValue } from '@/records/form/plain-value'
import type { ResourceForm } from '@/records/form/useResourceForm'
import { textOf } from '@/ui/format'
import { reportForgottenKey } from '@/records/key/forgotten-key'
import { fileOf, useSourceForm } from '@/records/source/useSourceForm'
import { meaningsOf, valueRules, wordAt, type Meaning } from '@/records/source/word-rules'
import { MeaningWords } from '@/records/source/WordField'
import { refresh, sendKey, sourceQuery, startRun } from './imports'

type Rules = Partial<Record<ImportTarget, string[]>>

/** The values of the form: defaults for a new source, else the source's. */
const toOptions = (source: ImportSource | null): Values => ({
  name: source?.name ?? '',
  kind: source?.kind ?? null,
  url: source?.url ?? null,
  host: source?.host ?? null,
  distribute_own: source?.distribute_own ?? false,
  force_published: source?.force_published ?? 'keep',
  force_source_geometry: source?.force_source_geometry ?? false,
  takes_pois: source?.takes_pois ?? false,
  takes_equipment: source?.takes_equipment ?? false,
  schedule: source?.schedule ?? 'never',
  notify_email: source?.notify_email ?? null,
})

/** The form of a source and of its mapping: one form, whichever tab is in sight; a run that goes on changes nothing in it. */
export function useImportForm(
  source: ImportSource,
  mapping: ImportMapping,
  reveal: (path: string) => void,
): ResourceForm<ImportSource, Values> {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  return useSourceForm<ImportSource>({
    kind: 'import_source',
    base: '/api/v1/import-sources',
    sendFile: (saved, file) => unwrap(api.PUT('/api/v1/import-sources/{id}/file', fileOf(saved, file))),
    record: source,
    reveal,
    toValues: (record) => {
      // The rules of the source's kind come first; the user's rules replace them.
      const fields: Rules = Object.fromEntries([...mapping.rules, ...(record?.fields ?? [])].map(({ to, from }) => [to, from]))
      return { ...toOptions(record), fields, values: meaningsOf(record?.values ?? []) }
    },
    toBody: ({ fields, values, host, ...patch }, all) => ({
      ...patch,
      ...(host === undefined && patch['url'] === undefined ? {} : { host: (all['url'] ?? '') === '' ? null : all['host'] }),
      ...(fields === undefined ? {} : { fields: Object.entries(all['fields'] as Rules).map(([to, from]) => ({ to, from })) }),
      ...(values === undefined ? {} : { values: valueRules(all['values'] as Record<string, Meaning>) }),
    }),
    onSaved: (saved, before) => {
      cache.setQueryData(sourceQuery(saved.id).queryKey, saved)
      toast({
        text: t(before !== null && same([before.fields, before.values], [saved.fields, saved.values]) ? 'step.saved' : 'mapping.saved'),
      })
      reportForgottenKey(before, saved)
      void refresh(cache)
    },
  })
}

interface NewImport {
  /** The key of its address; empty where it needs none. */
  key: string
  /** The values it begins with, beside those that every new source has. */
  preset?: Values
  /** The name of its draft on this device. */
  drafts?: string
  reveal: (path: string) => void
  onMade: (made: ImportSource) => void
}

/** The form of a new source: once made, it is given its key, and a first look at it writes nothing. */
export function useNewImportForm({
  key,
  preset = {},
  drafts = 'import_source',
  reveal,
  onMade,
}: NewImport): ResourceForm<ImportSource, Values> {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  return useSourceForm<ImportSource>({
    kind: drafts,
    base: '/api/v1/import-sources',
    sendFile: (saved, file) => unwrap(api.PUT('/api/v1/import-sources/{id}/file', fileOf(saved, file))),
    record: null,
    reveal,
    toValues: (source) => ({ ...toOptions(source), ...preset }),
    toBody: (values) => ({ ...values, host: (values['url'] ?? '') === '' ? null : values['host'] }),
    onMade: async (made) => {
      if (key !== '' && made.url !== null) await sendKey(made, key)
      await startRun(made.id, true)
    },
    onSaved: (made) => {
      toast({ text: t('step.saved') })
      void refresh(cache)
      onMade(made)
    },
  })
}

/** The names of a source's fields in a conflict: for the mapping, the field here or the source's word. */
export function useImportWords(words: readonly ImportWord[]): ConflictWords<ImportSource> {
  const { t } = useTranslation('imports')
  const me = useMe()
  return useMemo(
    () => ({
      fieldLabel: (path) => {
        const [part, name = ''] = path.split('.')
        if (part === 'fields') return t(`target.${name as ImportTarget}`)
        if (part !== 'values') return t(`field.${path as 'name'}`)
        const { list, key } = wordAt(path)
        const word = words.find((one) => one.list === list && one.key === key)
        return t('mapping.word', { word: textOf(word?.label, key), list: t(`list_.${list as 'tag'}`) })
      },
      fieldValue: (path, value) =>
        path.startsWith('values.') ? (
          <MeaningWords list={wordAt(path).list} meaning={value as Meaning} leftOut={t('mapping.leaveOut')} />
        ) : (
          plainValue(value)
        ),
      savedBy: ({ updated_by: by, updated_at: at }: ImportSource) => ({
        name: by?.id === me.id ? t('resource:yourself') : (by?.name ?? t('resource:someone')),
        at,
      }),
    }),
    [t, words, me.id],
  )
}
