import type { ParcoursRow, VocabularyAttributes, VocabularyItem } from '@/api/types'
import { translate } from '@/i18n'
import { format } from '@/ui/format'

/** « Randonnée · Boucle · 13,0 km · 4 h 05 »: the known facts of a parcours, in one line. */
export function factsOf(row: ParcoursRow, practice: string | undefined): string {
  const shape =
    row.is_stay === true
      ? translate('parcours:fact.stay')
      : row.is_loop === null
        ? undefined
        : translate(row.is_loop ? 'parcours:fact.loop' : 'parcours:fact.oneWay')
  return [
    practice,
    shape,
    row.stages > 1 ? translate('parcours:fact.stages', { count: row.stages }) : undefined,
    row.distance_m === null ? undefined : format.distance(row.distance_m),
    row.duration_s === null ? undefined : format.duration(row.duration_s),
    row.children > 0 ? translate('parcours:fact.children', { count: row.children }) : undefined,
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ')
}

/** A level of the scale that is not of one practice alone. */
export const generalLevel = (item: VocabularyItem): boolean => {
  const { scale }: VocabularyAttributes = item.attributes
  return scale === 'general'
}
