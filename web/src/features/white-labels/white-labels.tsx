import type { WhiteLabel } from '@/api/types'
import { useTranslation } from '@/i18n'
import { PublicationBadge } from '@/records/badge/record-badges'
import { nameColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { labelOf, type ResourceInTwo } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import { Square } from './Square'

const kinds = ['common', 'destination', 'travel', 'app'] as const

const def: ResourceInTwo<WhiteLabel> = {
  kind: 'white_label',
  queryKey: ['white_label'],
  base: '/api/v1/white-labels',
  path: '/settings/marques-blanches',
  placeOf: (id) => `/settings/marques-blanches/${id}`,
  area: 'whiteLabels',
  group: 'settings',
  may: 'settings.manage',
  mayMake: 'reference.manage',
  abilities: { history: true, uses: true },
  titleOf: ({ name }) => name,
  list: {
    config: { filterKeys: ['kind', 'structure', 'published'], defaultSort: 'title' },
    useColumns() {
      const { t } = useTranslation('whiteLabels')
      return [
        nameColumn<WhiteLabel, WhiteLabel>(def, {
          picture: (row) => <Square name={row.name} color={row.colors?.primary ?? null} />,
          facts: ({ domain }) => domain,
        }),
        { key: 'kind', header: labelOf('whiteLabels', 'kind'), width: '16%', render: ({ kind }) => t(`kind.${kind}`) },
        {
          key: 'structure',
          header: labelOf('whiteLabels', 'structure_id'),
          width: '24%',
          render: ({ structure }) => structure?.name ?? '–',
        },
        {
          key: 'published',
          header: labelOf('whiteLabels', 'published'),
          width: '128px',
          render: ({ published }) => <PublicationBadge record={{ published }} />,
        },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('whiteLabels')
      return [
        {
          key: 'structure',
          label: labelOf('whiteLabels', 'structure_id'),
          kind: 'record',
          base: '/api/v1/structures',
          queryKey: ['structure'],
        },
        {
          key: 'kind',
          label: labelOf('whiteLabels', 'kind'),
          kind: 'many',
          choices: kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
        {
          key: 'published',
          label: labelOf('whiteLabels', 'published'),
          kind: 'one',
          choices: (['true', 'false'] as const).map((value) => ({ value, label: t(value === 'true' ? 'common:yes' : 'common:no') })),
        },
      ]
    },
    useSorts: () => useBasicSorts(),
  },
  readForm: () => import('./form').then(({ form }) => form),
}

export const whiteLabels = pagesOf(def)
