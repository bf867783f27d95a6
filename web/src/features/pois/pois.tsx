import { lazy } from 'react'
import { api, ifMatch, unwrap } from '@/api/client'
import type { Poi } from '@/api/types'
import { useTranslation } from '@/i18n'
import { PublicationBadge } from '@/records/badge/record-badges'
import { useVocabulary } from '@/records/form/vocabulary'
import { customBody, customPrefix } from '@/records/custom-fields/custom-body'
import { useCustomList } from '@/records/custom-fields/useCustomList'
import { addressValue } from '@/records/form/AddressFields'
import { textOf } from '@/ui/format'
import { nameColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import type { BulkAction } from '@/records/list/BulkActions'
import { labelOf, type ResourceDef } from '@/records/resource/define'
import { OnMine, OwnedFacts, Publish } from '@/records/resource/ownership'
import { pagesOf } from '@/records/resource/pages'
import { base, flags } from './base'
import { CategoryInput, ThemeInput } from './bulk-inputs'
import { Custom, Distribution, Identity, Kinds, MediaFiles, Nearby, Place, Practical } from './fields'
import { Duplicates } from './Duplicates'
import { FollowsSit } from './FollowsSit'
import { Missing } from './Missing'

const PoiMap = lazy(() => import('./PoiMap'))

const publish = ({ id, version }: Poi, on: boolean): Promise<Poi> => {
  const init = { params: { path: { id }, header: ifMatch(version) } }
  return unwrap(on ? api.POST('/api/v1/pois/{id}/publication', init) : api.DELETE('/api/v1/pois/{id}/publication', init))
}

const def: ResourceDef<Poi> = {
  kind: 'poi',
  queryKey: ['poi'],
  base,
  path: '/pois',
  placeOf: (id) => `/pois/${id}`,
  area: 'pois',
  group: 'contents',
  may: 'content.write',
  abilities: { history: true, uses: true },
  titleOf: ({ title }) => textOf(title),
  list: {
    config: {
      filterKeys: ['category', 'theme', 'published', 'flag', 'distribute', 'incomplete', 'owner', 'bbox', 'near_parcours'],
      filterPrefix: customPrefix,
      defaultSort: '-updated_at',
    },
    useColumns() {
      const { t } = useTranslation('pois')
      const categories = useVocabulary('poi_category')
      return [
        nameColumn<Poi, Poi>(def, {
          name: 'title',
          facts: ({ category_ids: ids }) => ids.flatMap((id) => categories.nameOf(id) ?? []).join(', '),
        }),
        { key: 'published', header: labelOf('pois', 'published'), width: '128px', render: (row) => <PublicationBadge record={row} /> },
        { key: 'white_label', header: t('owner'), width: '16%', phone: 'hidden', render: ({ white_label }) => white_label.name },
        {
          key: 'distribute',
          header: t('distributed'),
          width: '96px',
          phone: 'hidden',
          render: ({ distribute }) => t(distribute ? 'common:yes' : 'common:no'),
        },
        {
          key: 'flags',
          header: labelOf('pois', 'flags'),
          width: '18%',
          phone: 'hidden',
          render: (row) =>
            flags
              .filter((flag) => row.flags[flag])
              .map((flag) => t(`flag.${flag}`))
              .join(', ') || '–',
        },
        updatedColumn(),
        ...useCustomList<Poi>('poi').columns,
      ]
    },
    hidden: ['distribute', 'flags'],
    useFilters() {
      const { t } = useTranslation('pois')
      const categories = useVocabulary('poi_category')
      const themes = useVocabulary('poi_theme')
      return [
        {
          key: 'owner',
          label: t('owner'),
          kind: 'one',
          choices: (['mine', 'shared'] as const).map((value) => ({ value, label: t(`owners.${value}`) })),
        },
        {
          key: 'published',
          label: labelOf('pois', 'published'),
          kind: 'one',
          choices: (['true', 'false'] as const).map((value) => ({ value, label: t(value === 'true' ? 'common:yes' : 'common:no') })),
        },
        { key: 'category', label: labelOf('pois', 'category_ids'), kind: 'many', choices: categories.choices },
        { key: 'theme', label: labelOf('pois', 'theme_ids'), kind: 'many', choices: themes.choices },
        {
          key: 'flag',
          label: labelOf('pois', 'flags'),
          kind: 'one',
          choices: flags.map((flag) => ({ value: flag, label: t(`flag.${flag}`) })),
        },
        {
          key: 'distribute',
          label: t('distributed'),
          kind: 'one',
          choices: (['true', 'false'] as const).map((value) => ({ value, label: t(value === 'true' ? 'common:yes' : 'common:no') })),
        },
        { key: 'incomplete', label: t('incomplete'), kind: 'switch' },
        ...useCustomList<Poi>('poi').filters,
        { key: 'near_parcours', label: t('nearParcours'), kind: 'record', base: '/api/v1/parcours', queryKey: ['parcours'] },
      ]
    },
    useSorts: () => useBasicSorts(),
    useBulk(): BulkAction[] {
      const { t } = useTranslation('pois')
      return [
        ...(['publish', 'unpublish', 'distribute', 'undistribute'] as const).map((action) => ({ action, label: t(`bulk.${action}`) })),
        { action: 'add_category', label: t('bulk.add_category'), Input: CategoryInput },
        { action: 'add_theme', label: t('bulk.add_theme'), Input: ThemeInput },
        { action: 'delete', label: t('bulk.delete') },
      ]
    },
    Aside: PoiMap,
    table: 'content.write',
  },
  form: {
    toValues: (record) => ({
      title: record?.title ?? {},
      description: record?.description ?? {},
      location: record?.location ?? null,
      address: addressValue(record?.address),
      flags: record?.flags ?? { good_address: false, must_see: false, detour_point: false, landmark: false, bookable: false },
      category_ids: record?.category_ids ?? [],
      theme_ids: record?.theme_ids ?? [],
      media_ids: record?.media_ids ?? [],
      phone: record?.phone ?? null,
      email: record?.email ?? null,
      website: record?.website ?? null,
      opening: record?.opening ?? {},
      booking_url: record?.booking_url ?? null,
      distribute: record?.distribute ?? false,
      custom: record?.custom ?? {},
    }),
    toBody: ({ custom, ...patch }) => (custom === undefined ? patch : { ...patch, custom: customBody(custom as Record<string, unknown>) }),
    sections: [
      { key: 'identity', names: ['title', 'description'], Fields: Identity },
      { key: 'place', names: ['location', 'address'], Fields: Place },
      { key: 'kinds', names: ['flags', 'category_ids', 'theme_ids'], Fields: Kinds },
      { key: 'medias', names: ['media_ids'], Fields: MediaFiles },
      { key: 'practical', names: ['phone', 'email', 'website', 'opening', 'booking_url'], Fields: Practical },
      { key: 'distribution', names: ['distribute'], Fields: Distribution },
      { key: 'custom', names: ['custom'], Fields: Custom },
      { key: 'nearby', names: [], onlySaved: true, Fields: Nearby },
    ],
    Facts: ({ record }) => <OwnedFacts record={record} />,
    Actions: ({ record, cacheRecord }) =>
      record.mine ? (
        <Publish send={(on) => publish(record, on)} kind="poi" record={record} cacheRecord={cacheRecord} />
      ) : (
        <OnMine base={base} record={record} />
      ),
    Notices: ({ record }) => (
      <>
        <FollowsSit record={record} />
        <Missing record={record} />
        <Duplicates record={record} />
      </>
    ),
  },
}

export const pois = pagesOf(def)
