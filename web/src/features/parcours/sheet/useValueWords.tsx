import type { ReactNode } from 'react'
import { textFor, useTranslation } from '@/i18n'
import { wordsOfHtml } from '@/records/form/plain-value'
import { format, textOf } from '@/ui/format'
import { useVocabulary } from '@/records/form/vocabulary'
import { referenceWords } from '@/records/resource/reference-words'
import { dayWords } from './periods'

const vocabularyOf = {
  practice_type_id: 'practice_type',
  level_id: 'level',
  theme_ids: 'parcours_theme',
  tag_ids: 'tag',
  marking_ids: 'marking',
  equipment_ids: 'equipment',
} as const
/** Fields with one of a few codes, not with a free text. */
const coded: readonly string[] = ['relation', 'bookable', 'bike_carriage', 'progress_status']
const isVocabulary = (field: string): field is keyof typeof vocabularyOf => field in vocabularyOf

interface Titled {
  title: Record<string, string>
  kind: string
}
const isTitled = (value: unknown): value is Titled => typeof value === 'object' && value !== null && 'title' in value && 'kind' in value
const isPeriod = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value
const isTrace = (value: unknown): value is { distance_m: number | null } =>
  typeof value === 'object' && value !== null && 'distance_m' in value

/** Any value of a sheet in words, by its path: for a conflict and for the history. */
export function useValueWords(): (path: string, value: unknown) => ReactNode {
  const { t } = useTranslation('sheet')
  const lists = {
    practice_type: useVocabulary('practice_type'),
    level: useVocabulary('level'),
    parcours_theme: useVocabulary('parcours_theme'),
    tag: useVocabulary('tag'),
    marking: useVocabulary('marking'),
    equipment: useVocabulary('equipment'),
  }
  const words = (path: string, value: unknown): string => {
    const field = path.split('.')[0] ?? ''
    if (value === null || value === undefined || value === '') return '–'
    if (Array.isArray(value))
      return value.length === 0 ? '–' : value.map((item: unknown) => words(path, item)).join(field === 'steps' ? ' → ' : ', ')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'number') {
      if (field === 'special_levels') return lists.level.nameOf(value) ?? String(value)
      if (isVocabulary(field)) return lists[vocabularyOf[field]].nameOf(value) ?? String(value)
      if (field.endsWith('_cents')) return format.money(value)
      if (field === 'deposit_percent') return format.percent(value, 0)
      if (field === 'display_priority') return textFor(`sheet:priority.${value}`) ?? String(value)
      return format.number(value)
    }
    if (typeof value === 'string') return (coded.includes(field) ? textFor(`sheet:word.${value}`) : undefined) ?? wordsOfHtml(value)
    if (isTitled(value)) return textOf(value.title, textFor(`trace:kind.${value.kind}`) ?? value.kind)
    if (isPeriod(value)) return t('periodWords', { from: dayWords(value.from), to: dayWords(value.to) })
    if (isTrace(value)) return value.distance_m === null ? '–' : format.distance(value.distance_m)
    return Object.entries(value)
      .filter(([, part]) => part !== null && part !== '')
      .map(([key, part]) => format.labelled(textFor(`common:scale.${key}`) ?? key, words(path, part)))
      .join(' · ')
  }
  return (path, value) =>
    (isVocabulary(path) ? undefined : referenceWords(path, value, { parent: 'parcours', model: 'parcours' })) ?? words(path, value)
}
