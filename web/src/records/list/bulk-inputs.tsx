import { resources, type ResourceKind } from '@/api/resource'
import type { VocabularyItem, VocabularyKind } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextInput } from '@/ui/field/inputs'
import { useVocabulary } from '@/records/form/vocabulary'
import { PickOne } from '@/records/picker/lazy-pickers'

/** The value that a bulk action needs; undefined while it is not chosen. */
export interface BulkInputProps {
  value: unknown
  onChange: (value: unknown) => void
}
type Labelled = BulkInputProps & { label: string }

const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** One item of a reference list. */
export function TermInput({
  kind,
  keep,
  label,
  value,
  onChange,
}: Labelled & { kind: VocabularyKind; keep?: (item: VocabularyItem) => boolean }) {
  const { t } = useTranslation()
  const { choices } = useVocabulary(kind, keep)
  const id = idOf(value)
  return (
    <Field label={label}>
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={id === null ? null : String(id)}
          onChange={(next) => onChange(next === null ? undefined : Number(next))}
          choices={choices}
          empty={t('form.choose')}
        />
      )}
    </Field>
  )
}

/** One record, found by typing. */
export function RecordInput({
  resource,
  query,
  label,
  value,
  onChange,
}: Labelled & { resource: ResourceKind; query?: Record<string, string> }) {
  return (
    <Field label={label}>
      {(wiring) => (
        <PickOne
          wiring={wiring}
          base={resources[resource].path}
          queryKey={[resource]}
          {...(query === undefined ? {} : { query })}
          value={idOf(value)}
          onChange={(id) => onChange(id ?? undefined)}
        />
      )}
    </Field>
  )
}

/** One line of text. */
export function TextLineInput({ label, max, value, onChange }: Labelled & { max: number }) {
  return (
    <Field label={label}>
      {(wiring) => (
        <TextInput
          {...wiring}
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text.trim() === '' ? undefined : text)}
          maxLength={max}
        />
      )}
    </Field>
  )
}
