import { useContext, useState } from 'react'
import type { VocabularyAttributes } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { SelectInput, TextInput } from '@/ui/field/inputs'
import { fold } from '@/ui/text'
import { NumberField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { useVocabulary } from '@/records/form/vocabulary'
import type { FieldOf } from '@/records/resource/define'
import classes from '@/records/resource/resource.module.css'
import { nameOfScale } from './branch'
import { PracticesField } from './PracticesField'

/** The choice of a scale that the list does not have yet. */
const another = 'another'

const scaleOf = ({ scale }: VocabularyAttributes) => scale ?? []

/** A level has a rank on a scale; the scale is meant for some practices. */
export function LevelFields({ f }: { f: FieldOf }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <div className={classes['two']}>
        <Scale label={f('scale').label} />
        <NumberField name="attributes.rank" required label={f('rank').label} hint={t('level.rankHint')} />
      </div>
      <PracticesField name="attributes.default_for" label={f('default_for').label} hint={t('level.practicesHint')} />
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
  fold(words)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
