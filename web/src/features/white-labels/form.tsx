import type { WhiteLabel } from '@/api/types'
import { textFor, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { PublicationBadge } from '@/records/badge/record-badges'
import type { FormDef } from '@/records/resource/define'
import { Contents, Custom, Domains, Identity, Keys, Look, MapView, Sit } from './fields'
import { Feeds } from './Feeds'
import { Planner } from './Planner'
import { Preview } from './Preview'
import { shapeOf } from './shape'
import { Square } from './Square'

/** The sheet of a white-label. */
export const form: FormDef<WhiteLabel> = {
  toValues: (record) => ({
    name: record?.name ?? '',
    slug: record?.slug ?? '',
    kind: record?.kind ?? 'destination',
    structure_id: record?.structure_id ?? null,
    contact_id: record?.contact_id ?? null,
    published: record?.published ?? false,
    colors: {
      primary: record?.colors.primary ?? null,
      secondary: record?.colors.secondary ?? null,
      tertiary: record?.colors.tertiary ?? null,
    },
    fonts: { title_media_id: record?.fonts.title_media_id ?? null, text_media_id: record?.fonts.text_media_id ?? null },
    logo_media_id: record?.logo_media_id ?? null,
    pdf_logo_media_id: record?.pdf_logo_media_id ?? null,
    pdf_background_media_id: record?.pdf_background_media_id ?? null,
    map_style: record?.map_style ?? null,
    bounds: record?.bounds ?? null,
    center: record?.center ?? null,
    zoom: record?.zoom ?? null,
    flags: record?.flags ?? {
      distribute_pois: true,
      distribute_parcours: true,
      public_transport: false,
      tourist_maas: false,
      cycle_map: false,
      ground_titles: false,
      ground_texts: false,
      ground_positions: false,
      ground_pois: false,
    },
    poi_filter: { category_ids: record?.poi_filter.category_ids ?? [], theme_ids: record?.poi_filter.theme_ids ?? [] },
    parcours_filter: {
      practice_type_ids: record?.parcours_filter.practice_type_ids ?? [],
      is_loop: record?.parcours_filter.is_loop ?? null,
    },
    rating_min: record?.rating_min ?? null,
    rating_max: record?.rating_max ?? null,
    planner_profiles: record?.planner_profiles ?? [],
    planner_preferences: record?.planner_preferences ?? {},
    domain: record?.domain ?? null,
    preproduction_domain: record?.preproduction_domain ?? null,
    sit_record_url: record?.sit_record_url ?? null,
    return_url: record?.return_url ?? null,
    analytics: { web: record?.analytics.web ?? null, android: record?.analytics.android ?? null, ios: record?.analytics.ios ?? null },
    allowed_origins: record?.allowed_origins ?? [],
    open_data_licence: record?.open_data_licence ?? 'etalab',
    deposit_percent: record?.deposit_percent ?? null,
    pauses_percent: record?.pauses_percent ?? null,
    client_files_kept_days: record?.client_files_kept_days ?? null,
    translator_id: record?.translator_id ?? null,
    custom_fields: record?.custom_fields ?? [],
  }),
  sections: [
    {
      key: 'identity',
      names: ['name', 'slug', 'kind', 'structure_id', 'contact_id', 'published', 'deposit_percent', 'client_files_kept_days'],
      Fields: Identity,
    },
    { key: 'look', names: ['colors', 'fonts', 'logo_media_id', 'pdf_logo_media_id', 'pdf_background_media_id'], Fields: Look },
    { key: 'map', names: ['map_style', 'bounds', 'center', 'zoom'], Fields: MapView },
    { key: 'contents', names: ['flags', 'pauses_percent', 'poi_filter', 'parcours_filter', 'rating_min', 'rating_max'], Fields: Contents },
    { key: 'planner', names: ['planner_profiles', 'planner_preferences'], Fields: Planner },
    { key: 'domains', names: ['domain', 'preproduction_domain'], Fields: Domains },
    { key: 'sit', names: ['sit_record_url', 'return_url'], Fields: Sit },
    { key: 'feeds', names: ['allowed_origins', 'open_data_licence'], Fields: Feeds },
    { key: 'keys', names: ['analytics', 'translator_id'], Fields: Keys },
    { key: 'custom', names: ['custom_fields'], Fields: Custom },
  ],
  valueWords: (path, value) => {
    if (path === 'kind' && typeof value === 'string') return textFor(`whiteLabels:kind.${value}`)
    return path === 'parcours_filter.is_loop' ? textFor(`whiteLabels:shape.${shapeOf(value) ?? 'all'}`) : undefined
  },
  Aside: Preview,
  // The server refuses the preview to people who neither work in the white-label nor may change it.
  hasAside: ({ mine, editable }) => mine || editable,
  Picture: ({ record }) => <Square name={record.name} color={record.colors.primary} large />,
  Facts: ({ record }) => <Facts record={record} />,
}

function Facts({ record }: { record: WhiteLabel }) {
  const { t } = useTranslation('whiteLabels')
  return (
    <>
      <PublicationBadge record={{ published: record.published }} />
      <Badge>{t(`kind.${record.kind}`)}</Badge>
      {record.structure && <span>{record.structure.name}</span>}
      {record.domain && (
        <a href={record.domain} target="_blank" rel="noopener">
          {record.domain.replace(/^https?:\/\//, '')}
        </a>
      )}
    </>
  )
}
