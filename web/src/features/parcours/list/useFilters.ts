import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { useFirstView } from '@/records/map/first-view'
import { channelKeys } from '@/records/badge/ChannelStates'
import { useVocabulary } from '@/records/form/vocabulary'
import type { FilterDef } from '@/records/list/filters'
import { generalLevel } from './facts'
import { lackKeys } from './lacks'
import { structuresQuery } from './queries'

/** The filters of the list, in the order of the menu. */
export function useFilters(): FilterDef[] {
  const { t } = useTranslation('parcours')
  const practices = useVocabulary('practice_type').choices
  const levels = useVocabulary('level', generalLevel).choices
  const themes = useVocabulary('parcours_theme').choices
  const structures = useQuery(structuresQuery).data?.items ?? []
  const threshold = payload().reliability_threshold
  const firstView = useFirstView()
  const passport: FilterDef[] = [
    {
      key: 'lack',
      label: t('filter.lack'),
      kind: 'many',
      choices: lackKeys.map((value) => ({ value, label: t(`common:lack.${value}`, { threshold }) })),
    },
    {
      key: 'channel',
      label: t('filter.channel'),
      kind: 'many',
      choices: channelKeys.flatMap((key) =>
        (['ready', 'to_check', 'missing'] as const).map((state) => ({
          value: `${key}:${state}`,
          label: `${t(`common:channel.${key}`)}, ${t(`common:channelState.${state}`)}`,
        })),
      ),
    },
  ]
  const closed: FilterDef[] = [{ key: 'closed', label: t('filter.closed'), kind: 'switch' }]
  return [
    { key: 'practice', label: t('filter.practice'), kind: 'many', choices: practices },
    { key: 'level', label: t('filter.level'), kind: 'many', choices: levels },
    { key: 'theme', label: t('filter.theme'), kind: 'many', choices: themes },
    {
      key: 'structure',
      label: t('filter.structure'),
      kind: 'many',
      choices: structures.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    {
      key: 'published',
      label: t('filter.published'),
      kind: 'one',
      choices: [
        { value: 'true', label: t('filter.publishedYes') },
        { value: 'false', label: t('filter.publishedNo') },
      ],
    },
    {
      key: 'progress',
      label: t('filter.progress'),
      kind: 'one',
      choices: (['any', 'to_review', 'to_fix', 'on_hold', 'archived'] as const).map((value) => ({ value, label: t(`progress.${value}`) })),
    },
    {
      key: 'owner',
      label: t('filter.owner'),
      kind: 'one',
      choices: [
        { value: 'mine', label: t('filter.mine') },
        { value: 'shared', label: t('filter.shared') },
      ],
    },
    { key: 'incomplete', label: t('filter.incomplete'), kind: 'switch' },
    { key: 'reliability_below', label: t('filter.low', { threshold }), kind: 'switch', value: String(threshold) },
    ...passport,
    ...(payload().content_languages.includes('en')
      ? ([{ key: 'stale', label: t('filter.stale'), kind: 'switch', value: 'en' }] satisfies FilterDef[])
      : []),
    ...closed,
    {
      key: 'feedback',
      label: t('filter.feedback'),
      kind: 'one',
      choices: (['reviews', 'reports'] as const).map((value) => ({ value, label: t(`filter.waiting.${value}`) })),
    },
    { key: 'children', label: t('filter.children'), kind: 'switch', value: 'waiting' },
    {
      key: 'bbox',
      label: t('filter.bbox'),
      kind: 'switch',
      value: firstView.map((degrees) => degrees.toFixed(4)).join(','),
    },
  ]
}
