import { queryOptions, useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { CustomField, WhiteLabel } from '@/api/model'
import { resourceApi, resources } from '@/api/resource'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { DateInput } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import type { FilterDef } from '@/ui/list/filters'
import type { Column } from '@/ui/list/ResourceList'
import { customPrefix } from './custom-body'
import { CheckField, SelectField } from './choice-fields'
import classes from './fields.module.css'
import { NumberField, TextAreaField, TextField } from './fields'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

/** What a white-label's own fields are: they change seldom. */
const whiteLabelQuery = (id: number) =>
  queryOptions({ queryKey: ['white_label', id], queryFn: () => resourceApi<WhiteLabel>(resources.white_label.path).get(id), staleTime: 60_000 })

/** The fields that a white-label adds to its parcours or its points of interest; none until they are known. */
export function useCustomFields(whiteLabelId: number | undefined, on: CustomField['on']): readonly CustomField[] {
  const found = useQuery({ ...whiteLabelQuery(whiteLabelId ?? 0), enabled: whiteLabelId !== undefined }).data
  return (found?.custom_fields ?? []).filter((field) => field.on === on)
}

/** The filters and the columns that a white-label's own fields give to a list of its content. */
export function useCustomList<Row extends { custom?: Record<string, unknown> }>(on: CustomField['on']): { filters: FilterDef[]; columns: Column<Row>[] } {
  const { t } = useTranslation()
  const fields = useCustomFields(useMe().active_white_label_id, on)
  const words = { yes: t('yes'), no: t('no') }
  return {
    filters: fields.map((field): FilterDef => {
      const common = { key: `${customPrefix}${field.key}`, label: textOf(field.label, field.key) }
      if (field.type === 'bool') return { ...common, kind: 'one', choices: [{ value: 'true', label: words.yes }, { value: 'false', label: words.no }] }
      if (field.type === 'choice') return { ...common, kind: 'one', choices: (field.options ?? []).map((option) => ({ value: option, label: option })) }
      if (field.type === 'number' || field.type === 'date') return { ...common, kind: 'range', of: field.type }
      return { ...common, kind: 'words' }
    }),
    columns: fields.map((field) => ({ key: `${customPrefix}${field.key}`, header: textOf(field.label, field.key), optional: true, width: '14%', phone: 'hidden', render: ({ custom }) => customWords(field, custom?.[field.key], words) })),
  }
}

/** One input for each field, of the kind its definition says. */
export function CustomInputs({ fields }: { fields: readonly CustomField[] }) {
  return (
    <div className={classes['custom']}>
      {fields.map((field) => (
        <CustomInput key={field.key} field={field} />
      ))}
    </div>
  )
}

function CustomInput({ field }: { field: CustomField }) {
  const common = { name: `custom.${field.key}`, label: textOf(field.label, field.key), required: field.required }
  const { t } = useTranslation()
  switch (field.type) {
    case 'long_text':
      return <TextAreaField {...common} />
    case 'number':
      return <NumberField {...common} decimals={6} />
    case 'bool':
      return <CheckField {...common} />
    case 'date':
      return <DateField {...common} />
    case 'url':
      return <TextField {...common} type="url" inputMode="url" placeholder="https://" />
    case 'choice':
      return <SelectField {...common} choices={(field.options ?? []).map((option) => ({ value: option, label: option }))} empty={t('form.none')} />
    default:
      return <TextField {...common} />
  }
}

/** A day. */
export function DateField({ name, ...field }: { name: string; label: string; required?: boolean; hint?: string }) {
  const { value, set, error } = useField<string | null | undefined>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={field.label}>{value ? format.day(value) : null}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <DateInput {...wiring} value={value ?? null} onChange={set} />}
    </Field>
  )
}

/** A value of such a field in words: for lists. */
function customWords(field: CustomField, value: unknown, words: { yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return format.number(value, Number.isInteger(value) ? 0 : 2)
  if (typeof value !== 'string' || value === '') return '–'
  return field.type === 'date' ? format.day(value) : value
}
