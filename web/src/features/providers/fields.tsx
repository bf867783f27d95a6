import { payload } from '@/api/payload'
import { currentLocale, useTranslation } from '@/i18n'
import { SelectField } from '@/records/form/choice-fields'
import { NumberField, TextAreaField, TextField, TranslatedField } from '@/records/form/fields'
import { LogoField } from '@/records/form/LogoField'
import { PointField } from '@/records/form/PointField'
import { VocabularyField } from '@/records/form/VocabularyField'
import type { FieldOf } from '@/records/resource/define'

/** The languages the public pages have. */
const pageLanguages = ['fr', 'en']

/** The provider's name, tagline, logo and site. */
export function Who({ f }: { f: FieldOf }) {
  const { t } = useTranslation('providers')
  return (
    <>
      <TextField {...f('name')} required max={120} />
      <TranslatedField {...f('tagline')} max={200} hint={t('taglineHint')} />
      <LogoField {...f('logo_media_id')} />
      <TextField {...f('website')} type="url" inputMode="url" placeholder="https://" />
    </>
  )
}

/** The provider's entrance: distances to parcours are measured from it. */
export function Place({ f }: { f: FieldOf }) {
  const { t } = useTranslation('providers')
  return (
    <>
      <PointField {...f('location')} required hint={t('locationHint')} />
      <TextField {...f('address')} max={300} hint={t('addressHint')} />
    </>
  )
}

/** Which parcours, and in which language the page opens. */
export function Around({ f }: { f: FieldOf }) {
  const { t } = useTranslation('providers')
  const names = new Intl.DisplayNames(currentLocale(), { type: 'language' })
  const languages = pageLanguages.filter((language) => payload().content_languages.includes(language))
  return (
    <>
      <NumberField {...f('radius_km')} required unit="km" decimals={1} hint={t('radiusHint')} />
      <VocabularyField {...f('practice_ids')} kind="practice_type" multiple hint={t('practicesHint')} />
      <VocabularyField {...f('theme_ids')} kind="parcours_theme" multiple />
      <SelectField {...f('language')} required choices={languages.map((value) => ({ value, label: names.of(value) ?? value }))} />
      <TextAreaField {...f('note')} hint={t('noteHint')} />
    </>
  )
}
