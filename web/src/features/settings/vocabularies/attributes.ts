import type { VocabularyAttributes, VocabularyKind } from '@/api/types'
import type { Values } from '@/records/form/paths'
import { everyPractice } from '@/records/parcours/practices'

/** The attributes of an item that the form of its list shows; undefined where the list has none. */
export function shownAttributes(kind: VocabularyKind, attributes: VocabularyAttributes): Values | undefined {
  switch (kind) {
    case 'level': {
      const { scale = 'general', rank = 1, default_for = [everyPractice] } = attributes
      return { scale, rank, default_for }
    }
    case 'practice_type': {
      const { profile = null, flat_kmh = null, ascent_mh = null, descent_mh = null } = attributes
      return { profile, flat_kmh, ascent_mh, descent_mh }
    }
    case 'marking': {
      const { colors = [], registered = null } = attributes
      return { colors, registered }
    }
    case 'equipment': {
      const { for: practices = [everyPractice], required = false } = attributes
      return { for: practices, required }
    }
    case 'structure_type': {
      const { agency = false, registration = null } = attributes
      return { agency, registration }
    }
    default:
      return undefined
  }
}

const isBlank = (value: unknown) => value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)

/**
 * The changed attributes to send; the server merges them one by one. An emptied attribute is sent as null, which removes it; a new item
 * omits it.
 */
export function attributesToSend(changed: Values, isNew: boolean): Values {
  const fields = Object.entries(changed).map(([key, value]) => [key, isBlank(value) ? null : value] as const)
  return Object.fromEntries(fields.filter(([, value]) => !isNew || value !== null))
}
