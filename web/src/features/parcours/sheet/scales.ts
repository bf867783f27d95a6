import type { VocabularyAttributes, VocabularyItem } from '@/api/types'
import { codesOf, suits } from '@/records/parcours/practices'

/** The scale of the parcours' own level; each other one is special. */
export const general = 'general'

/** The scale a level belongs to; none when the reference data does not say. */
export const scaleOf = (item: VocabularyItem): string => {
  const { scale = '' }: VocabularyAttributes = item.attributes
  return scale
}

/** The special scales in two: those meant for the practice or already filled, and the others. Without a practice all are near. */
export function scalesFor(
  levels: readonly VocabularyItem[],
  practices: readonly VocabularyItem[],
  practice: number | null,
  filled: (scale: string) => boolean,
): { near: string[]; others: string[] } {
  const codes = codesOf(practices, practice)
  const meant = (item: VocabularyItem) => {
    const { default_for: practicesOf }: VocabularyAttributes = item.attributes
    return suits(practicesOf, codes)
  }
  const scales = [...new Set(levels.map(scaleOf))].filter((scale) => scale !== general && scale !== '')
  const isNear = (scale: string) => codes.length === 0 || filled(scale) || levels.some((item) => scaleOf(item) === scale && meant(item))
  return { near: scales.filter(isNear), others: scales.filter((scale) => !isNear(scale)) }
}

/** The essential equipment of a practice that is not chosen yet. Nothing without a practice. */
export function essentialsFor(
  equipment: readonly VocabularyItem[],
  practices: readonly VocabularyItem[],
  practice: number | null,
  chosen: readonly number[],
): VocabularyItem[] {
  const codes = codesOf(practices, practice)
  if (codes.length === 0) return []
  return equipment.filter((item) => {
    const { for: meantFor, required = false }: VocabularyAttributes = item.attributes
    return required && suits(meantFor, codes) && !chosen.includes(item.id)
  })
}
