import type { VocabularyAttributes, VocabularyItem } from '@/api/types'

/** The scale of the parcours' own level; each other one is special. */
export const general = 'general'

/** The scale a level belongs to; none when the reference data does not say. */
export const scaleOf = (item: VocabularyItem): string => {
  const { scale = '' }: VocabularyAttributes = item.attributes
  return scale
}

/** The codes of a practice and of those above it. */
function codesAbove(practices: readonly VocabularyItem[], id: number | null): string[] {
  const codes: string[] = []
  const seen = new Set<number>()
  for (
    let at = practices.find((item) => item.id === id);
    at !== undefined && !seen.has(at.id);
    at = practices.find((item) => item.id === at?.parent_id)
  ) {
    seen.add(at.id)
    codes.push(at.code)
  }
  return codes
}

/** The special scales in two: those meant for the practice or already filled, and the others. Without a practice all are near. */
export function scalesFor(
  levels: readonly VocabularyItem[],
  practices: readonly VocabularyItem[],
  practice: number | null,
  filled: (scale: string) => boolean,
): { near: string[]; others: string[] } {
  const codes = codesAbove(practices, practice)
  const meant = (item: VocabularyItem) => {
    const { default_for: practicesOf }: VocabularyAttributes = item.attributes
    return practicesOf === undefined || practicesOf.some((code) => code === '*' || codes.includes(code))
  }
  const scales = [...new Set(levels.map(scaleOf))].filter((scale) => scale !== general && scale !== '')
  const isNear = (scale: string) => codes.length === 0 || filled(scale) || levels.some((item) => scaleOf(item) === scale && meant(item))
  return { near: scales.filter(isNear), others: scales.filter((scale) => !isNear(scale)) }
}
