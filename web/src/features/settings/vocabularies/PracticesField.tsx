import { useContext } from 'react'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { useVocabulary } from '@/records/form/vocabulary'
import { everyPractice } from '@/records/parcours/practices'
import { SearchMany } from '@/ui/select/lazy-select'
import { format, textOf } from '@/ui/format'

/** Practices by their codes, which outlive a change of label; or every practice. */
export function PracticesField({ name, label, hint }: { name: string; label: string; hint: string }) {
  const { t } = useTranslation('settings')
  const { value, set, error } = useField<string[] | undefined>(name)
  const { items } = useVocabulary('practice_type')
  const choices = [
    { value: everyPractice, label: t('level.everyPractice') },
    ...items.map(({ code, label: words }) => ({ value: code, label: textOf(words, code) })),
  ]
  const chosen = value ?? []
  if (useContext(ReadOnlyContext))
    return (
      <ReadOnly label={label}>{format.list(chosen.map((code) => choices.find((choice) => choice.value === code)?.label ?? code))}</ReadOnly>
    )
  // « Every practice » and some of them exclude each other: the later choice holds.
  const change = (next: string[]) =>
    set(
      next.includes(everyPractice) && !chosen.includes(everyPractice)
        ? [everyPractice]
        : next.filter((code) => code !== everyPractice || next.length === 1),
    )
  return (
    <Field label={label} hint={hint} error={error} path={name}>
      {(wiring) => <SearchMany wiring={wiring} choices={choices} value={chosen} onChange={change} />}
    </Field>
  )
}
