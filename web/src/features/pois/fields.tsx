import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, unwrap } from '@/api/client'
import type { Poi } from '@/api/types'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { ClosedBadge } from '@/records/badge/record-badges'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { AddressFields } from '@/records/form/AddressFields'
import { CustomInputs } from '@/records/custom-fields/CustomInputs'
import { HiddenValues } from '@/records/custom-fields/HiddenValues'
import { useCustomFields } from '@/records/custom-fields/useCustomList'
import { CheckField } from '@/records/form/choice-fields'
import { TextField, TranslatedField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { MediaListField } from '@/records/form/MediaField'
import { PointField } from '@/records/form/PointField'
import { VocabularyField } from '@/records/form/VocabularyField'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import type { FieldOf } from '@/records/resource/define'
import classes from '@/records/resource/resource.module.css'
import { flags } from './base'

interface Fields {
  record: Poi | null
  f: FieldOf
}

export function Identity({ f }: Fields) {
  const { t } = useTranslation('pois')
  const { value: distributed } = useField<boolean | undefined>('distribute')
  return (
    <>
      <TranslatedField {...f('title')} required max={200} />
      <TranslatedField {...f('description')} kind="rich" hint={t('descriptionHint')} required={distributed === true} />
    </>
  )
}

export function Place({ f }: Fields) {
  return (
    <>
      <PointField {...f('location')} required />
      <AddressFields f={f} within="address" />
    </>
  )
}

export function Kinds({ f }: Fields) {
  const { t } = useTranslation('pois')
  return (
    <>
      <VocabularyField {...f('category_ids')} kind="poi_category" multiple />
      <VocabularyField {...f('theme_ids')} kind="poi_theme" multiple />
      <div className={classes['two']}>
        {flags.map((flag) => (
          <CheckField key={flag} name={`flags.${flag}`} label={t(`flag.${flag}`)} />
        ))}
      </div>
    </>
  )
}

export const MediaFiles = ({ f }: Fields) => <MediaListField {...f('media_ids')} cover />

export function Practical({ f }: Fields) {
  return (
    <>
      <div className={classes['two']}>
        <TextField {...f('phone')} />
        <TextField {...f('email')} type="email" inputMode="email" />
      </div>
      <TextField {...f('website')} type="url" inputMode="url" placeholder="https://" />
      <TranslatedField {...f('opening')} kind="lines" max={2000} />
      <TextField {...f('booking_url')} type="url" inputMode="url" placeholder="https://" />
    </>
  )
}

/** The custom fields of the POI's white-label; for a new POI, of the active white-label. */
export function Custom({ record }: Fields) {
  const { t } = useTranslation('pois')
  const me = useMe()
  const fields = useCustomFields(record?.white_label.id ?? me.active_white_label_id, 'poi')
  return (
    <>
      {fields.length === 0 ? <p className="muted">{t('customNone')}</p> : <CustomInputs fields={fields} />}
      <HiddenValues keys={record?.custom_hidden ?? []} fields={fields} />
    </>
  )
}

export function Distribution({ f }: Fields) {
  const { t } = useTranslation('pois')
  return <CheckField {...f('distribute')} hint={t('distributeHint')} />
}

/** Which parcours pass by, at which metre, how far off. */
export function Nearby({ record }: Fields) {
  const { t } = useTranslation('pois')
  const id = record?.id ?? 0
  const near = useQuery({
    queryKey: ['poi', id, 'parcours', record?.location ?? null],
    queryFn: () => unwrap(api.GET('/api/v1/pois/{id}/parcours', { params: { path: { id } } })).then(({ items }) => items),
  })
  if (near.error) return <Banner tone="danger">{problemText(near.error)}</Banner>
  if (near.data === undefined) return <Skeleton height={60} />
  if (near.data.length === 0) return <p className="muted">{t('near.none')}</p>
  return (
    <ul className={classes['stack']}>
      {near.data.map(({ id: parcours, title, at_m: at, offset_m: offset, closed }) => (
        <li key={parcours}>
          <Link to="/parcours/$id" params={{ id: String(parcours) }}>
            {textOf(title)}
          </Link>
          <span className="small muted"> {t('near.where', { at: format.km(at), offset: format.metres(offset) })}</span>{' '}
          {closed && <ClosedBadge />}
        </li>
      ))}
    </ul>
  )
}
