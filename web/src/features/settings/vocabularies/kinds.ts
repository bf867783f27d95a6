import type { VocabularyKind } from '@/api/types'

/** The path of each reference list, and whether the list is a tree. */
export const lists: Record<VocabularyKind, { path: string; tree: boolean }> = {
  practice_type: { path: '/settings/types-pratiques', tree: true },
  level: { path: '/settings/niveaux', tree: false },
  parcours_theme: { path: '/settings/thematiques-parcours', tree: true },
  tag: { path: '/settings/tags', tree: false },
  marking: { path: '/settings/balisages', tree: true },
  equipment: { path: '/settings/equipements', tree: true },
  poi_category: { path: '/settings/categories-pois', tree: true },
  poi_theme: { path: '/settings/thematiques-pois', tree: true },
  structure_type: { path: '/settings/types-structures', tree: false },
}
