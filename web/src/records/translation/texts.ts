import { queryOptions } from '@tanstack/react-query'
import { createContext } from 'react'
import { api, unwrap } from '@/api/client'
import type { RecordKind, Translations } from '@/api/types'
import type { Area } from '@/i18n/resources'
import type { Values } from '@/records/form/paths'

/** The record whose texts the surrounding form edits. */
export interface TextsOf {
  kind: TextKind
  /** None for a sheet that is not saved yet. */
  id: number | null
  version: number
  /** « Titre (anglais) » */
  labelOf: (path: string) => string
}

export const TextsContext = createContext<TextsOf | null>(null)

const kinds: Record<string, TextKind> = {
  poi: 'poi',
  media: 'media',
  itinerary: 'itinerary',
  closure: 'closure',
  provider_link: 'provider_link',
}
/** The kind of a record's texts as the server calls it, where it has texts in several languages. */
export const textKindOf = (kind: string, base: string): TextKind | undefined =>
  base.startsWith('/api/v1/vocabularies/') ? 'vocabulary' : kinds[kind]

/** Fields that are written in several languages; `true` for those with markup. A test compares them with the sheets of the server. */
export const fields = {
  parcours: {
    title: false,
    subtitle: false,
    summary: false,
    description: true,
    anonymous_title: false,
    anonymous_description: true,
    meta_title: false,
    meta_description: false,
    price_includes: true,
    price_excludes: true,
    booking_label: false,
    audio_guide: false,
  },
  poi: { title: false, description: true, opening: false },
  media: { legend: false, alt: false },
  itinerary: { name: false, description: true },
  closure: { title: false, reason: false },
  provider_link: { tagline: false },
  vocabulary: { label: false, description: false },
} satisfies Partial<Record<RecordKind, Record<string, boolean>>>
export type TextKind = keyof typeof fields

/** The texts with the labels of these fields. */
export const areaOf = {
  parcours: 'sheet',
  poi: 'pois',
  media: 'media',
  itinerary: 'itineraries',
  closure: 'closures',
  provider_link: 'providers',
  vocabulary: 'settings',
} satisfies Record<TextKind, Area>
const areas: Partial<Record<RecordKind, Area>> = areaOf
/** The texts with the labels of a kind's fields; those of all records where it has no text in several languages. */
export const labelsOf = (kind: RecordKind): Area => areas[kind] ?? 'resource'

/** A text of a form. */
export interface FormText {
  /** Its path in the form: `title`, `steps.0.title`. */
  path: string
  /** Its name in the API: `steps/12/title`. */
  field: string
  rich: boolean
}

const stepTexts = (values: Values): FormText[] => {
  const steps = Array.isArray(values['steps']) ? (values['steps'] as { id: number }[]) : []
  return steps.flatMap(({ id }, index) =>
    ['title', 'description'].map((name) => ({ path: `steps.${index}.${name}`, field: `steps/${id}/${name}`, rich: false })),
  )
}

/** All texts that a form holds. */
export function textsOf(kind: TextKind, values: Values): FormText[] {
  const own = Object.entries(fields[kind])
    .filter(([name]) => name in values)
    .map(([name, rich]) => ({ path: name, field: name, rich }))
  return kind === 'parcours' ? [...own, ...stepTexts(values)] : own
}

export const statesQuery = ({ kind, id, version }: TextsOf) =>
  queryOptions({
    queryKey: ['texts', kind, id, version],
    queryFn: () => unwrap(api.GET('/api/v1/texts/{kind}/{id}', { params: { path: { kind, id: id ?? 0 } } })),
    enabled: id !== null,
    staleTime: 60_000,
  })

/** Requests translations of texts; nothing is written. */
export const propose = (
  of: TextsOf,
  source: string,
  target: string,
  confirmed: boolean,
  words: Record<string, string>,
): Promise<Translations> =>
  unwrap(api.POST('/api/v1/translations', { body: { kind: of.kind, id: of.id, source, target, said: confirmed, fields: words } }))
