import type { ImportWord, VocabularyItem, VocabularyKind } from '@/api/types'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { plainValue } from '@/records/form/plain-value'
import { useVocabulary } from '@/records/form/vocabulary'
import { LEFT_OUT, meaningPath, type Meaning } from './word-rules'

interface Props {
  word: ImportWord
  label: string
  /** The text shown while it is taken for an item of the same name. */
  alike: string
  leaveOut: string
  choose: string
  keep?: (item: VocabularyItem) => boolean
}

/** A word of theirs, and what it becomes here. */
export function WordField({ word, label, alike, leaveOut, choose, keep }: Props) {
  const path = meaningPath(word)
  const { choices } = useVocabulary(word.list, keep)
  const { value, set, error } = useField<Meaning | undefined>(path)
  const own = value ?? null
  const guessed = own === null && word.state === 'alike'
  const shown = own !== null ? String(own) : guessed && word.term_id !== null ? String(word.term_id) : null
  return (
    <Field label={label} hint={guessed ? alike : undefined} error={error} path={path}>
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={shown}
          onChange={(next) => set(next === null ? null : next === LEFT_OUT ? LEFT_OUT : Number(next))}
          choices={[{ value: LEFT_OUT, label: leaveOut }, ...choices]}
          empty={choose}
        />
      )}
    </Field>
  )
}

/** The meaning of a word, as text. */
export function MeaningWords({ list, meaning, leftOut }: { list: VocabularyKind; meaning: Meaning | undefined; leftOut: string }) {
  const { nameOf } = useVocabulary(list)
  if (meaning === LEFT_OUT) return leftOut
  return nameOf(meaning) ?? plainValue(meaning)
}
