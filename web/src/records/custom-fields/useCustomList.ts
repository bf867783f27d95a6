import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CustomField, WhiteLabel } from '@/api/types'
import { resourceApi, resources } from '@/api/resource'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { format, textOf } from '@/ui/format'
import type { FilterDef } from '@/records/list/filters'
import type { Column } from '@/records/list/ResourceList'
import { customPrefix } from './custom-body'

/** What a white-label's own fields are: they change seldom. */
const whiteLabelQuery = (id: number) =>
  queryOptions({
    queryKey: ['white_label', id],
    queryFn: () => resourceApi<WhiteLabel>(resources.white_label.path).get(id),
    staleTime: 60_000,
  })

/** The fields that a white-label adds to its parcours or its points of interest; none until they are known. */
export function useCustomFields(whiteLabelId: number | undefined, on: CustomField['on']): readonly CustomField[] {
  const found = useQuery({ ...whiteLabelQuery(whiteLabelId ?? 0), enabled: whiteLabelId !== undefined }).data
  return useMemo(() => (found?.custom_fields ?? []).filter((field) => field.on === on), [found, on])
}

/** The filters and the columns that a white-label's own fields give to a list of its content. */
export function useCustomList<Row extends { custom?: Record<string, unknown> }>(
  on: CustomField['on'],
): { filters: FilterDef[]; columns: Column<Row>[] } {
  const { t } = useTranslation()
  const fields = useCustomFields(useMe().active_white_label_id, on)
  return useMemo(() => {
    const words = { yes: t('yes'), no: t('no') }
    return {
      filters: fields.map((field): FilterDef => {
        const common = { key: `${customPrefix}${field.key}`, label: textOf(field.label, field.key) }
        if (field.type === 'bool')
          return {
            ...common,
            kind: 'one',
            choices: [
              { value: 'true', label: words.yes },
              { value: 'false', label: words.no },
            ],
          }
        if (field.type === 'choice')
          return { ...common, kind: 'one', choices: (field.options ?? []).map((option) => ({ value: option, label: option })) }
        if (field.type === 'number' || field.type === 'date') return { ...common, kind: 'range', of: field.type }
        return { ...common, kind: 'words' }
      }),
      columns: fields.map((field) => ({
        key: `${customPrefix}${field.key}`,
        header: textOf(field.label, field.key),
        optional: true,
        width: '14%',
        phone: 'hidden',
        render: ({ custom }) => customWords(field, custom?.[field.key], words),
      })),
    }
  }, [t, fields])
}

/** A value of a custom field as a text for lists. */
function customWords(field: CustomField, value: unknown, words: { yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return format.number(value, Number.isInteger(value) ? 0 : 2)
  if (typeof value !== 'string' || value === '') return '–'
  return field.type === 'date' ? format.day(value) : value
}
