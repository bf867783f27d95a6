import { useContext, useState } from 'react'
import type { VocabularyAttributes } from '@/api/types'
import { textFor, useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { SelectInput, TextInput } from '@/ui/field/inputs'
import { NumberField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { SearchMany } from '@/ui/select/lazy-select'
import { ReadOnlyContext } from '@/records/form/read-only'
import { useVocabulary } from '@/records/form/vocabulary'
import { format, textOf } from '@/ui/format'
import type { FieldOf } from '@/records/resource/define'
import classes from '@/records/resource/resource.module.css'

/** Said of a scale that suits every practice. */
const every = '*'
/** The choice of a scale that the list does not have yet. */
const another = 'another'

const scaleOf = ({ scale }: VocabularyAttributes) => scale ?? []
const nameOfScale = (scale: string) => textFor(`common:scale.${scale}`) ?? scale

/** A level has a rank on a scale; the scale is meant for some practices. */
export function LevelFields({ f }: { f: FieldOf }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <div className={classes['two']}>
        <Scale label={f('scale').label} />
        <NumberField name="attributes.rank" required label={f('rank').label} hint={t('level.rankHint')} />
      </div>
      <Practices label={f('default_for').label} />
    </>
  )
}

/** An existing scale, or a new one. */
function Scale({ label }: { label: string }) {
  const { t } = useTranslation('settings')
  const { value, set, error } = useField<string | null>('attributes.scale')
  const { items } = useVocabulary('level')
  const [isNew, setNew] = useState(false)
  const readOnly = useContext(ReadOnlyContext)
  const used = items.flatMap(({ attributes }) => scaleOf(attributes))
  const known = [...new Set(['general', ...used, ...(isNew || value === null || value === '' ? [] : [value])])]
  if (readOnly) return <ReadOnly label={label}>{value === null ? null : nameOfScale(value)}</ReadOnly>
  const choose = (next: string | null) => {
    setNew(next === another)
    set(next === another ? '' : next)
  }
  return (
    <div className={classes['fields']}>
      <Field label={label} required error={isNew ? undefined : error} path="attributes.scale">
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={isNew ? another : value}
            onChange={choose}
            choices={[...known.map((scale) => ({ value: scale, label: nameOfScale(scale) })), { value: another, label: t('level.other') }]}
          />
        )}
      </Field>
      {isNew && (
        <Field label={t('level.newScale')} hint={t('level.newScaleHint')} required error={error}>
          {(wiring) => <TextInput {...wiring} value={value ?? ''} onChange={(words) => set(codeOf(words))} maxLength={40} />}
        </Field>
      )}
    </div>
  )
}

/** « Raquette à neige » → « raquette-a-neige », while it is typed. */
const codeOf = (words: string) =>
  words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')

/** For which practices the scale comes first: by their codes, which outlive a change of label. */
function Practices({ label }: { label: string }) {
  const { t } = useTranslation('settings')
  const { value, set, error } = useField<string[] | undefined>('attributes.default_for')
  const { items } = useVocabulary('practice_type')
  const choices = [
    { value: every, label: t('level.everyPractice') },
    ...items.map(({ code, label: words }) => ({ value: code, label: textOf(words, code) })),
  ]
  const chosen = value ?? []
  if (useContext(ReadOnlyContext))
    return (
      <ReadOnly label={label}>{format.list(chosen.map((code) => choices.find((choice) => choice.value === code)?.label ?? code))}</ReadOnly>
    )
  // « Every practice » and some of them exclude each other: the later choice holds.
  const change = (next: string[]) =>
    set(next.includes(every) && !chosen.includes(every) ? [every] : next.filter((code) => code !== every || next.length === 1))
  return (
    <Field label={label} hint={t('level.practicesHint')} error={error} path="attributes.default_for">
      {(wiring) => <SearchMany wiring={wiring} choices={choices} value={chosen} onChange={change} />}
    </Field>
  )
}
