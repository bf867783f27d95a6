import type { ReactNode } from 'react'
import type { VocabularyKind } from '@/api/types'
import { resources, type ResourceKind } from '@/api/resource'
import { useVocabulary } from '@/records/form/vocabulary'
import { format } from '@/ui/format'
import { useRecordNames, type Source } from '@/records/picker/useRecordChoices'

/** What a field of ids points to, by its name without `_id` or `_ids`; whatever ends in `media` is one. */
const records: Record<string, ResourceKind> = {
  structure: 'structure',
  contact: 'contact',
  white_label: 'white_label',
  poi: 'poi',
  itinerary: 'itinerary',
  line: 'transport_line',
  user: 'user',
}
const lists: Record<string, VocabularyKind> = {
  kind: 'structure_type',
  category: 'poi_category',
  theme: 'poi_theme',
  practice_type: 'practice_type',
  level: 'level',
  tag: 'tag',
  marking: 'marking',
  equipment: 'equipment',
}
const parcours: Source = { base: '/api/v1/parcours', queryKey: ['parcours'], query: { progress: 'any' } }

/** The names of what a field points to, by the field's path; `undefined` where it holds something else. `own`: what its name means there. */
export function referenceWords(path: string, value: unknown, own: Record<string, VocabularyKind | 'parcours'> = {}): ReactNode | undefined {
  const [, name] = /(?:^|\.)(\w+?)_ids?$/.exec(path) ?? []
  const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')
  if (name === undefined || ids.length === 0) return undefined
  const meant = own[name] ?? lists[name]
  if (meant === 'parcours') return <Records source={parcours} ids={ids} />
  if (meant !== undefined) return <Items kind={meant} ids={ids} />
  const kind = name.endsWith('media') ? 'media' : records[name]
  return kind && <Records source={{ base: resources[kind].path, queryKey: [kind] }} ids={ids} />
}

/** The names of records; one that was deleted for good is shown by its number. */
const listed = (ids: readonly number[], nameOf: (id: number) => string | undefined) => format.list(ids.map((id) => nameOf(id) ?? `#${id}`))

function Records({ source, ids }: { source: Source; ids: readonly number[] }) {
  return listed(ids, useRecordNames(source, ids))
}

function Items({ kind, ids }: { kind: VocabularyKind; ids: readonly number[] }) {
  return listed(ids, useVocabulary(kind).nameOf)
}
