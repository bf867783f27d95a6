import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useContext, useRef } from 'react'
import { payload } from '@/api/payload'
import type { VocabularyKind } from '@/api/types'
import { textFor, translate, useTranslation } from '@/i18n'
import { SelectField, SwitchField } from '@/records/form/choice-fields'
import { ColorInput, isColor } from '@/records/form/ColorField'
import { NumberField, TextField } from '@/records/form/fields'
import { focusField } from '@/records/form/focus'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { profileName } from '@/records/parcours/planner-profile'
import type { FieldOf } from '@/records/resource/define'
import classes from '@/records/resource/resource.module.css'
import { Button, IconButton } from '@/ui/button/Button'
import { Field, FieldError, ReadOnly } from '@/ui/field/Field'
import { LevelFields } from './LevelFields'
import { PracticesField } from './PracticesField'
import own from './attributes.module.css'

/** The most colors of a marking. */
const mostColors = 6
/** The profile of a practice whose recordings are not planned, and the one of boats, whose are not either. */
const byHand = 'none'
const onWater = 'waterway'

/** What only the items of one list have. */
export function AttributeFields({ kind, f }: { kind: VocabularyKind; f: FieldOf }) {
  switch (kind) {
    case 'level':
      return <LevelFields f={f} />
    case 'practice_type':
      return <PracticeFields f={f} />
    case 'marking':
      return <MarkingFields f={f} />
    case 'equipment':
      return <EquipmentFields f={f} />
    case 'structure_type':
      return <StructureTypeFields f={f} />
    default:
      return null
  }
}

/** A value in words where it is a code: the profile of a practice, the scale of a level. */
export function attributeWords(path: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (path === 'attributes.profile') return nameOfProfile(value)
  return path === 'attributes.scale' ? textFor(`common:scale.${value}`) : undefined
}

function nameOfProfile(profile: string): string {
  if (profile === byHand) return translate('settings:practice.byHand')
  // Recordings of boats are not planned: the planner knows the ways beside the water.
  return profile === onWater ? translate('settings:practice.onWater') : profileName(profile)
}

/** How a practice is planned, and how fast it is. What is left empty is that of the practices around it. */
function PracticeFields({ f }: { f: FieldOf }) {
  const { t } = useTranslation('settings')
  const { value } = useField<string | null>('attributes.profile')
  const offered = [...payload().profiles, byHand]
  // One that a newer server knows stays until another is chosen.
  const known = value === null || offered.includes(value) ? offered : [...offered, value]
  return (
    <>
      <SelectField
        {...f('attributes.profile')}
        hint={t('practice.hint')}
        choices={known.map((profile) => ({ value: profile, label: nameOfProfile(profile) }))}
        empty={t('practice.inherited')}
      />
      <div className={own['three']}>
        <NumberField {...f('attributes.flat_kmh')} unit={t('practice.kmh')} decimals={1} />
        <NumberField {...f('attributes.ascent_mh')} unit={t('practice.mh')} />
        <NumberField {...f('attributes.descent_mh')} unit={t('practice.mh')} />
      </div>
    </>
  )
}

function MarkingFields({ f }: { f: FieldOf }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <Colors {...f('attributes.colors')} />
      <TextField {...f('attributes.registered')} hint={t('marking.registeredHint')} max={200} />
    </>
  )
}

/** The colors of a mark, from top to bottom. */
function Colors({ name, label }: { name: string; label: string }) {
  const { t } = useTranslation('settings')
  const { value: colors, set, error } = useField<string[]>(name)
  const adder = useRef<HTMLButtonElement>(null)
  if (useContext(ReadOnlyContext))
    return (
      <ReadOnly label={label}>
        {colors.length === 0 ? null : (
          <span className={own['marks']}>
            {colors.map((color, place) => (
              <span key={place}>
                {isColor(color) && <span className={classes['swatch']} style={{ background: color }} aria-hidden="true" />} {color}
              </span>
            ))}
          </span>
        )}
      </ReadOnly>
    )
  const isFull = colors.length >= mostColors
  const add = () => {
    set([...colors, ''])
    focusField(`${name}.${colors.length}`)
  }
  const remove = (place: number) => {
    set(colors.filter((_, at) => at !== place))
    adder.current?.focus()
  }
  return (
    <fieldset className={own['group']} data-field={name}>
      <legend>{label}</legend>
      {colors.map((_, place) => (
        <Color key={place} name={`${name}.${place}`} place={place} onRemove={() => remove(place)} />
      ))}
      {/* A fault of a single color stands at its row. */}
      <FieldError error={colors.length === 0 || colors.length > mostColors ? error : undefined} />
      <span>
        <Button
          ref={adder}
          size="small"
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          {...(isFull ? { disabledReason: t('marking.full', { count: mostColors }) } : {})}
          onClick={add}
        >
          {t('marking.add')}
        </Button>
      </span>
    </fieldset>
  )
}

function Color({ name, place, onRemove }: { name: string; place: number; onRemove: () => void }) {
  const { t } = useTranslation('settings')
  const { value, set, error } = useField<string>(name)
  const label = t('marking.color', { number: place + 1 })
  return (
    <div className={own['color']}>
      <Field label={label} error={error} path={name}>
        {(wiring) => <ColorInput wiring={wiring} value={value} label={label} onChange={set} />}
      </Field>
      <IconButton
        look="ghost"
        label={t('marking.remove', { color: label })}
        icon={<IconTrash size={18} stroke={1.75} aria-hidden />}
        onClick={onRemove}
      />
    </div>
  )
}

function EquipmentFields({ f }: { f: FieldOf }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <PracticesField {...f('attributes.for')} hint={t('equipment.forHint')} />
      <SwitchField {...f('attributes.required')} hint={t('equipment.requiredHint')} />
    </>
  )
}

function StructureTypeFields({ f }: { f: FieldOf }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <SwitchField {...f('attributes.agency')} hint={t('structureType.agencyHint')} />
      <TextField {...f('attributes.registration')} hint={t('structureType.registrationHint')} max={200} />
    </>
  )
}
