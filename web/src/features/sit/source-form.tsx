import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, unwrap } from '@/api/client'
import type { SitColumn, SitMapping, SitSource } from '@/api/types'
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
import { refresh, sendKey, sourceQuery, startRun } from './data'

type Columns = Partial<Record<SitColumn, string | null>>

/** The values of the form: defaults for a new source, else the source's. */
const toOptions = (source: SitSource | null): Values => ({
  name: source?.name ?? '',
  kind: source?.kind ?? null,
  url: source?.url ?? null,
  project: source?.project ?? null,
  selections: source?.selections ?? null,
  criteria: source?.criteria ?? null,
  licence: source?.licence ?? null,
  schedule: source?.schedule ?? 'never',
  notify_email: source?.notify_email ?? null,
})

const base = {
  kind: 'sit_source',
  base: '/api/v1/sit-sources',
  sendFile: (saved: SitSource, file: File) => unwrap(api.PUT('/api/v1/sit-sources/{id}/file', fileOf(saved, file))),
} as const

/** The form of a source and of its mapping: one form, whichever tab is in sight; a run that goes on changes nothing in it. */
export function useSitForm(source: SitSource, reveal: (path: string) => void): ResourceForm<SitSource, Values> {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  return useSourceForm<SitSource>({
    ...base,
    record: source,
    reveal,
    toValues: (record) => ({
      ...toOptions(record),
      values: meaningsOf(record?.values ?? []),
      columns: Object.fromEntries((record?.columns ?? []).map(({ to, from }) => [to, from[0] ?? null])),
    }),
    toBody: ({ values, columns, ...patch }, all) => ({
      ...patch,
      ...(values === undefined ? {} : { values: valueRules(all['values'] as Record<string, Meaning>) }),
      ...(columns === undefined
        ? {}
        : { columns: Object.entries(all['columns'] as Columns).flatMap(([to, name]) => (name === null ? [] : [{ to, from: [name] }])) }),
    }),
    onSaved: (saved, before) => {
      cache.setQueryData(sourceQuery(saved.id).queryKey, saved)
      toast({
        text: t(before !== null && same([before.values, before.columns], [saved.values, saved.columns]) ? 'source.saved' : 'mapping.saved'),
      })
      reportForgottenKey(before, saved)
      void refresh(cache)
    },
  })
}

/** The form of a new source: once made, it is given its key and read. */
export function useNewSitForm(key: string, onMade: (made: SitSource) => void): ResourceForm<SitSource, Values> {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  return useSourceForm<SitSource>({
    ...base,
    record: null,
    toValues: toOptions,
    onMade: async (made) => {
      if (key !== '' && made.url !== null) await sendKey(made, key)
      await startRun(made.id)
    },
    onSaved: (made) => {
      toast({ text: t('source.saved') })
      void refresh(cache)
      onMade(made)
    },
  })
}

/** The names of a source's fields in a conflict: for the mapping, the field here or the source's word. */
export function useSitWords(words: SitMapping['words']): ConflictWords<SitSource> {
  const { t } = useTranslation('sit')
  return useMemo(
    () => ({
      fieldLabel: (path) => {
        const [part, name = ''] = path.split('.')
        if (part === 'columns') return t(`mapping.to.${name as SitColumn}`)
        if (part === 'notify_email') return t('source.email')
        if (part !== 'values') return t(`source.${path as 'name'}`)
        const { key } = wordAt(path)
        return textOf(words.find((one) => one.key === key)?.label, key)
      },
      fieldValue: (path, value) =>
        path.startsWith('values.') ? (
          <MeaningWords list="poi_category" meaning={value as Meaning} leftOut={t('mapping.leaveOut')} />
        ) : (
          plainValue(value)
        ),
    }),
    [t, words],
  )
}
