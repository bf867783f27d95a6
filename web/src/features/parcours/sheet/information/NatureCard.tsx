import { useState } from 'react'
import { textFor, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { useVocabulary } from '@/records/form/vocabulary'
import { VocabularyField } from '@/records/form/VocabularyField'
import { focusField } from '@/records/form/focus'
import { useField } from '@/records/form/form-context'
import { format, textOf } from '@/ui/format'
import { ThreeWay } from '../Choice'
import { useSheet } from '../context'
import { essentialsFor, general, scaleOf, scalesFor } from '../scales'
import { Shown } from '../Shown'
import classes from '../sheet.module.css'

/** The kind of parcours: shape, practice, difficulty, themes, what visitors see and what they need. */
export function NatureCard() {
  const { t } = useTranslation('sheet')
  return (
    <Card title={t('nature.title')}>
      <div className={classes['fields']}>
        <div className={classes['threeColumns']}>
          <VocabularyField
            name="practice_type_id"
            kind="practice_type"
            label={t('field.practice_type_id')}
            empty={t('nature.noPractice')}
          />
          <VocabularyField
            name="level_id"
            kind="level"
            label={t('field.level_id')}
            keep={(item) => scaleOf(item) === general}
            empty={t('nature.noLevel')}
          />
        </div>
        <div className={classes['twoColumns']}>
          <Shown field="is_loop">
            <ThreeWay name="is_loop" label={t('field.is_loop')} words={{ unset: t('unset'), yes: t('loop.loop'), no: t('loop.oneWay') }} />
          </Shown>
          <Shown field="is_stay">
            <ThreeWay name="is_stay" label={t('field.is_stay')} words={{ unset: t('unset'), yes: t('stay.stay'), no: t('stay.circuit') }} />
          </Shown>
        </div>
        <Shown field="special_levels">
          <SpecialLevels />
        </Shown>
        <div className={classes['twoColumns']}>
          <Shown field="theme_ids">
            <VocabularyField name="theme_ids" kind="parcours_theme" label={t('field.theme_ids')} multiple />
          </Shown>
          <Shown field="tag_ids">
            <VocabularyField name="tag_ids" kind="tag" label={t('field.tag_ids')} multiple />
          </Shown>
          <Shown field="marking_ids">
            <VocabularyField name="marking_ids" kind="marking" label={t('field.marking_ids')} multiple />
          </Shown>
          <Shown field="equipment_ids">
            <Equipment />
          </Shown>
        </div>
      </div>
    </Card>
  )
}

/** What to take along; a button adds what is essential on this practice. */
function Equipment() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const { items } = useVocabulary('equipment')
  const practices = useVocabulary('practice_type').items
  const practice = useField<number | null>('practice_type_id').value
  const { value, set } = useField<number[]>('equipment_ids')
  const missing = essentialsFor(items, practices, practice, value)
  const [announcement, announce] = useState('')
  const names = format.list(missing.map(({ label, code }) => textOf(label, code)))
  const add = () => {
    set([...value, ...missing.map(({ id }) => id)])
    announce(t('nature.essentialsAdded', { names }))
    // The button goes away.
    focusField('equipment_ids')
  }
  return (
    <div className={classes['fields']}>
      <VocabularyField name="equipment_ids" kind="equipment" label={t('field.equipment_ids')} multiple />
      {parcours.editable && missing.length > 0 && (
        <span>
          <Button look="link" onClick={add}>
            {t('nature.addEssentials', { names })}
          </Button>
        </span>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  )
}

/** Difficulty on the other scales: those of the practice first, the rest when asked for. */
function SpecialLevels() {
  const { t } = useTranslation('sheet')
  const { form, parcours } = useSheet()
  const { items } = useVocabulary('level')
  const practices = useVocabulary('practice_type').items
  const practice = useField<number | null>('practice_type_id').value
  const [all, showAll] = useState(false)
  const filled = (scale: string) => typeof form.store.get(`special_levels.${scale}`) === 'number'
  const { near, others } = scalesFor(items, practices, practice, filled)
  // Readers who cannot edit do not see empty scales.
  const shown = parcours.editable ? (all ? [...near, ...others] : near) : near.filter(filled)
  if (shown.length === 0 && others.length === 0) return null
  return (
    <fieldset className={classes['group']} data-field="special_levels">
      <legend>{t('field.special_levels')}</legend>
      <div className={classes['threeColumns']}>
        {shown.map((scale) => (
          <VocabularyField
            key={scale}
            name={`special_levels.${scale}`}
            kind="level"
            label={textFor(`common:scale.${scale}`) ?? scale}
            keep={(item) => scaleOf(item) === scale}
            empty={t('unset')}
          />
        ))}
      </div>
      {parcours.editable && others.length > 0 && !all && (
        <Button look="link" onClick={() => showAll(true)}>
          {t('nature.otherScales', { count: others.length })}
        </Button>
      )}
    </fieldset>
  )
}
