import type { RecordKind, Text } from '@/api/types'
import { textOf } from '@/ui/format'

/** An object rather than an array: `satisfies` then reports a missing kind. */
const kinds = {
  parcours: true,
  poi: true,
  media: true,
  transport_line: true,
  white_label: true,
  structure: true,
  contact: true,
  user: true,
  itinerary: true,
  closure: true,
  provider_link: true,
  survey_campaign: true,
  vocabulary: true,
  import_source: true,
  sit_source: true,
  transport_feed: true,
  translator: true,
} satisfies Record<RecordKind, true>

/** The kinds of record of the bin and the journal, in the order of their filters. */
export const recordKinds = Object.keys(kinds) as readonly RecordKind[]

/** The path of a record of each kind in the application; a kind without a screen has none. */
const places: Record<string, (id: number) => string> = {
  parcours: (id) => `/parcours/${id}`,
  poi: (id) => `/pois/${id}`,
  media: (id) => `/medias/${id}`,
  transport_line: (id) => `/lignes/${id}/edit`,
  closure: (id) => `/fermetures/${id}`,
  provider_link: (id) => `/marque-blanche-prestataire/${id}`,
  survey_campaign: (id) => `/campagnes/${id}`,
  sit_source: (id) => `/settings/pois-sit/sources/${id}`,
  transport_feed: (id) => `/lignes/flux/${id}`,
  translator: (id) => `/settings/traducteurs/${id}`,
  import_source: (id) => `/settings/imports-parcours/${id}`,
  white_label: (id) => `/settings/marques-blanches/${id}`,
  structure: (id) => `/settings/structures/${id}`,
  contact: (id) => `/settings/contacts/${id}`,
  user: (id) => `/settings/users/${id}`,
  itinerary: (id) => `/settings/itineraires/${id}`,
  marking: (id) => `/settings/balisages/${id}`,
  poi_category: (id) => `/settings/categories-pois/${id}`,
  equipment: (id) => `/settings/equipements/${id}`,
  level: (id) => `/settings/niveaux/${id}`,
  tag: (id) => `/settings/tags/${id}`,
  parcours_theme: (id) => `/settings/thematiques-parcours/${id}`,
  poi_theme: (id) => `/settings/thematiques-pois/${id}`,
  practice_type: (id) => `/settings/types-pratiques/${id}`,
  structure_type: (id) => `/settings/types-structures/${id}`,
}

/** The address of one record, by its kind. */
export const placeOf = (kind: string, id: number): string | undefined => places[kind]?.(id)

/** A title as the API gives it: words, or words by language. */
export const titleText = (title: Text | string | null | undefined): string => (typeof title === 'string' ? title : textOf(title))
