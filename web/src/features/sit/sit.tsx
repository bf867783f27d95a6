import { lazy } from 'react'
import type { SitRecordRow } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { useCan } from '@/api/session'
import { useVocabulary } from '@/records/form/vocabulary'
import { textOf } from '@/ui/format'
import { blank } from '@/records/list/ResourceList'
import { nameColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { labelOf, type ResourceInTwo } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import { records, statusTones } from './data'
import { useSources } from './useSources'

const RecordMap = lazy(() => import('./RecordMap'))
const statuses = ['active', 'gone', 'hidden'] as const
const languages = ['fr', 'en', 'de', 'es', 'it', 'nl'] as const

const def: ResourceInTwo<SitRecordRow> = {
  kind: 'sit_record',
  queryKey: ['sit', 'records'],
  base: records,
  path: '/settings/pois-sit',
  placeOf: (id) => `/settings/pois-sit/fr/${id}`,
  area: 'sit',
  group: 'settings',
  may: 'content.write',
  abilities: { create: false, remove: false },
  titleOf: ({ title }) => textOf(title),
  list: {
    config: {
      filterKeys: ['source', 'category', 'categorised', 'language', 'status', 'linked', 'overridden', 'bbox'],
      defaultSort: 'title',
    },
    useColumns() {
      const { t } = useTranslation('sit')
      const categories = useVocabulary('poi_category')
      return [
        nameColumn<SitRecordRow, SitRecordRow>(def, {
          name: 'title',
          facts: ({ category_ids: ids, city }) =>
            [ids.flatMap((id) => categories.nameOf(id) ?? []).join(', '), city ?? ''].filter((part) => part !== '').join(' · '),
        }),
        {
          key: 'status',
          header: labelOf('sit', 'status'),
          width: '96px',
          phone: 'aside',
          render: ({ status }) => <Badge tone={statusTones[status]}>{t(`status.${status}`)}</Badge>,
        },
        {
          key: 'linked',
          header: labelOf('sit', 'linked'),
          width: '88px',
          phone: 'hidden',
          render: ({ poi_id: poi }) => (poi === null ? blank : t('linkedYes')),
        },
        { key: 'source', header: labelOf('sit', 'source'), width: '20%', phone: 'hidden', render: ({ source }) => source.name },
        {
          key: 'languages',
          optional: true,
          header: labelOf('sit', 'languages'),
          width: '110px',
          phone: 'hidden',
          render: ({ languages: written }) => written.join(', '),
        },
        {
          key: 'overridden',
          optional: true,
          header: labelOf('sit', 'overridden'),
          width: '110px',
          phone: 'hidden',
          render: ({ overridden }) => (overridden === 0 ? blank : overridden),
        },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('sit')
      const categories = useVocabulary('poi_category')
      const sources = useSources()
      const yesNo = [
        { value: 'true', label: t('common:yes') },
        { value: 'false', label: t('common:no') },
      ]
      return [
        { key: 'source', label: labelOf('sit', 'source'), kind: 'one', choices: sources },
        { key: 'category', label: labelOf('sit', 'category_ids'), kind: 'many', choices: categories.choices },
        { key: 'language', label: labelOf('sit', 'languages'), kind: 'one', choices: languages.map((value) => ({ value, label: value })) },
        {
          key: 'status',
          label: labelOf('sit', 'status'),
          kind: 'one',
          choices: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
        },
        {
          key: 'linked',
          label: labelOf('sit', 'linked'),
          kind: 'one',
          choices: [
            { value: 'true', label: t('linkedYes') },
            { value: 'false', label: t('linkedNo') },
          ],
        },
        { key: 'overridden', label: labelOf('sit', 'overridden'), kind: 'one', choices: yesNo },
      ]
    },
    useSorts: () => useBasicSorts(),
    Aside: RecordMap,
    Actions: function Sources() {
      const { t } = useTranslation('sit')
      return useCan('content.import') ? <ButtonLink to="/settings/pois-sit/sources">{t('sources')}</ButtonLink> : null
    },
  },
  readForm: () => Promise.reject(new Error('a record has a screen of its own')),
}

export const sitRecords = pagesOf(def)
