import { useContext } from 'react'
import type { Text, WhiteLabel } from '@/api/types'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { BoundsField } from '@/records/form/BoundsField'
import { CheckField, SelectField } from '@/records/form/choice-fields'
import { ColorField } from '@/records/form/ColorField'
import { NumberField, TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { LogoField } from '@/records/form/LogoField'
import { MediaField } from '@/records/form/MediaField'
import { PointField } from '@/records/form/PointField'
import { ReadOnlyContext } from '@/records/form/read-only'
import { RecordField } from '@/records/form/record-fields'
import { VocabularyField } from '@/records/form/VocabularyField'
import type { FieldOf } from '@/records/resource/define'
import { titleText } from '@/records/resource/kinds'
import classes from '@/records/resource/resource.module.css'
import { ApiKey } from './ApiKey'
import { AssistantSettings } from './AssistantSettings'
import { CustomFields } from './CustomFields'
import { DomainField } from './DomainField'
import { Published } from './Published'
import { shapeOf } from './shape'
import { TranslationKey } from './TranslationKey'

interface Fields {
  record: WhiteLabel | null
  f: FieldOf
}

const kinds = ['common', 'destination', 'travel', 'app'] as const

export function Identity({ record, f }: Fields) {
  const { t } = useTranslation('whiteLabels')
  return (
    <>
      <div className={classes['two']}>
        <TextField {...f('name')} required />
        <SelectField {...f('kind')} required choices={kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))} />
      </div>
      <div className={classes['two']}>
        <RecordField {...f('structure_id')} resource="structure" required />
        <RecordField {...f('contact_id')} resource="contact" />
      </div>
      <div className={classes['two']}>
        <TextField {...f('slug')} max={60} hint={t('slugHint')} />
        <NumberField {...f('deposit_percent')} unit="%" hint={t('depositHint')} />
      </div>
      <div className={classes['two']}>
        <NumberField {...f('client_files_kept_days')} unit={t('days')} hint={t('keptHint')} />
      </div>
      <Published record={record} f={f} />
    </>
  )
}

export function Look({ f }: Fields) {
  const { t } = useTranslation('whiteLabels')
  const readOnly = useContext(ReadOnlyContext)
  const { value: primary } = useField<string | null>('colors.primary')
  const at = (group: string, part: string) => ({ name: `${group}.${part}`, label: f(part).label })
  return (
    <>
      {!readOnly && <p className="small muted">{t('lookHint')}</p>}
      <div className={classes['three']}>
        <ColorField {...at('colors', 'primary')} use="fill" hint={t('primaryHint')} />
        <ColorField {...at('colors', 'secondary')} use="line" hint={t('secondaryHint')} />
        <ColorField {...at('colors', 'tertiary')} use="ground" primary={primary} hint={t('tertiaryHint')} />
      </div>
      <div className={classes['two']}>
        <MediaField {...at('fonts', 'title_media_id')} kind="font" />
        <MediaField {...at('fonts', 'text_media_id')} kind="font" />
      </div>
      <div className={classes['three']}>
        <LogoField {...f('logo_media_id')} />
        <LogoField {...f('pdf_logo_media_id')} />
        <MediaField {...f('pdf_background_media_id')} kind="image" />
      </div>
    </>
  )
}

/** « Relief (recommandé) »: a style by its label, the recommended one marked. */
function useStyles() {
  const { t } = useTranslation('whiteLabels')
  return (payload().map.styles ?? []).map(({ code, label, recommended }) => {
    const name = styleName(label)
    return { value: code, label: recommended ? t('recommended', { name }) : name }
  })
}
const styleName = (label: Text | string) => titleText(label)

export function MapView({ f }: Fields) {
  const { t } = useTranslation('whiteLabels')
  const styles = useStyles()
  return (
    <>
      <SelectField {...f('map_style')} choices={styles} empty={t('usualStyle')} />
      <BoundsField {...f('bounds')} />
      <NumberField {...f('zoom')} decimals={1} hint={t('zoomHint')} />
      <PointField {...f('center')} />
    </>
  )
}

const flags = ['distribute_parcours', 'distribute_pois', 'public_transport', 'tourist_maas', 'cycle_map'] as const

/** What comes from the ground and needs no review. */
const groundFlags = ['ground_titles', 'ground_texts', 'ground_positions', 'ground_pois'] as const

/** Whether loops, one-way parcours, or both are shown. */
function Shapes({ label }: { label: string }) {
  const { t } = useTranslation('whiteLabels')
  const { value, set, error } = useField<boolean | null>('parcours_filter.is_loop')
  const chosen = shapeOf(value)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{t(`shape.${chosen ?? 'all'}`)}</ReadOnly>
  return (
    <Field label={label} error={error} path="parcours_filter.is_loop">
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={chosen}
          onChange={(next) => set(next === null ? null : next === 'loop')}
          choices={(['loop', 'oneWay'] as const).map((shape) => ({ value: shape, label: t(`shape.${shape}`) }))}
          empty={t('shape.all')}
        />
      )}
    </Field>
  )
}

export function Contents({ f }: Fields) {
  const { t } = useTranslation('whiteLabels')
  return (
    <>
      {flags.map((flag) => (
        <CheckField key={flag} name={`flags.${flag}`} label={f(flag).label} />
      ))}
      <NumberField {...f('pauses_percent')} unit="%" hint={t('pausesHint')} />
      <h3>{t('parcoursFilter')}</h3>
      <VocabularyField
        name="parcours_filter.practice_type_ids"
        label={f('practice_type_ids').label}
        kind="practice_type"
        multiple
        hint={t('emptyIsAll')}
      />
      <Shapes label={f('is_loop').label} />
      <h3>{t('poiFilter')}</h3>
      <VocabularyField name="poi_filter.category_ids" label={f('category_ids').label} kind="poi_category" multiple hint={t('emptyIsAll')} />
      <VocabularyField name="poi_filter.theme_ids" label={f('theme_ids').label} kind="poi_theme" multiple hint={t('emptyIsAll')} />
      <h3>{t('ratings')}</h3>
      <div className={classes['two']}>
        <NumberField {...f('rating_min')} decimals={1} />
        <NumberField {...f('rating_max')} decimals={1} />
      </div>
      <h3>{t('ground')}</h3>
      <p className="small muted">{t('groundHint')}</p>
      {groundFlags.map((flag) => (
        <CheckField key={flag} name={`flags.${flag}`} label={f(flag).label} />
      ))}
    </>
  )
}

export function Domains({ record, f }: Fields) {
  return (
    <>
      <DomainField record={record} f={f} />
      <TextField {...f('preproduction_domain')} type="url" inputMode="url" placeholder="https://" />
    </>
  )
}

export function Sit({ f }: Fields) {
  const { t } = useTranslation('whiteLabels')
  return (
    <>
      <TextField {...f('sit_record_url')} type="url" inputMode="url" placeholder="https://…/[ID_OBJET]" hint={t('sitHint')} />
      <TextField {...f('return_url')} type="url" inputMode="url" placeholder="https://" />
    </>
  )
}

export function Keys({ record, f }: Fields) {
  return (
    <>
      <div className={classes['three']}>
        <TextField name="analytics.web" label={f('web').label} placeholder="G-XXXXXXXXXX" />
        <TextField name="analytics.android" label={f('android').label} placeholder="1:0000:android:…" />
        <TextField name="analytics.ios" label={f('ios').label} placeholder="1:0000:ios:…" />
      </div>
      {record !== null && <ApiKey record={record} />}
      {record !== null && <TranslationKey record={record} label={f('translator_id').label} />}
      {record !== null && <AssistantSettings record={record} />}
    </>
  )
}

export const Custom = ({ record }: Fields) => <CustomFields record={record} />
