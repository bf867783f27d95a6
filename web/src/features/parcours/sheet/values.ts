import type { AvailabilityPeriod, Parcours, ParcoursPatch, ProgressStatus, Relation, Step, StepInput, Text, Inheritable } from '@/api/types'
import { customBody } from '@/records/custom-fields/custom-body'

/** A step as the sheet edits it: what the server works out (distances along the trace) is left to it. */
export type StepValue = Pick<
  Step,
  | 'id'
  | 'kind'
  | 'title'
  | 'description'
  | 'position'
  | 'at_m'
  | 'distance_to_next_typed_m'
  | 'duration_to_next_typed_s'
  | 'practice_type_id'
  | 'nights'
  | 'line_ids'
  | 'beside_m'
>

/** The values that a user may fill in, one key for each field of the merge patch. */
export interface SheetValues extends Record<string, unknown> {
  title: Text
  subtitle: Text
  summary: Text
  description: Text
  anonymous_title: Text
  anonymous_description: Text
  meta_title: Text
  meta_description: Text
  copyright: string | null
  is_stay: boolean | null
  is_loop: boolean | null
  relation: Relation
  parent_id: number | null
  model_id: number | null
  practice_type_id: number | null
  level_id: number | null
  special_levels: Record<string, number | null>
  theme_ids: number[]
  tag_ids: number[]
  marking_ids: number[]
  equipment_ids: number[]
  media_ids: number[]
  poi_ids: number[]
  contact_id: number | null
  itinerary_ids: number[]
  audio_main_media_id: number | null
  audio_transition_media_id: number | null
  custom: Record<string, unknown>
  price_cents: number | null
  max_price_cents: number | null
  price_includes: Text
  price_excludes: Text
  deposit_percent: number | null
  booking_url: string | null
  booking_label: Text
  bookable: Inheritable
  bike_carriage: Inheritable
  file_number: string | null
  progress_status: ProgressStatus | null
  availability: AvailabilityPeriod[]
  display_priority: 0 | 1 | 2
  distribute_partners: boolean
  distribute_own: boolean
  steps: StepValue[]
}

export const stepValue = ({
  id,
  kind,
  title,
  description,
  position,
  at_m,
  distance_to_next_typed_m,
  duration_to_next_typed_s,
  practice_type_id,
  nights,
  line_ids,
  beside_m,
}: Step): StepValue => ({
  id,
  kind,
  title,
  description,
  position,
  at_m,
  distance_to_next_typed_m,
  duration_to_next_typed_s,
  practice_type_id,
  nights,
  ...(line_ids === undefined ? {} : { line_ids }),
  ...(beside_m === undefined ? {} : { beside_m }),
})

/** The fields of a sheet as the form holds them. */
export function toValues(parcours: Parcours): SheetValues {
  const p = parcours
  return {
    title: p.title,
    subtitle: p.subtitle,
    summary: p.summary,
    description: p.description,
    anonymous_title: p.anonymous_title,
    anonymous_description: p.anonymous_description,
    meta_title: p.meta_title,
    meta_description: p.meta_description,
    copyright: p.copyright,
    is_stay: p.is_stay,
    is_loop: p.is_loop,
    relation: p.relation,
    parent_id: p.parent_id,
    model_id: p.model_id,
    practice_type_id: p.practice_type_id,
    level_id: p.level_id,
    special_levels: p.special_levels,
    theme_ids: p.theme_ids,
    tag_ids: p.tag_ids,
    marking_ids: p.marking_ids,
    equipment_ids: p.equipment_ids,
    media_ids: p.media_ids,
    poi_ids: p.poi_ids,
    contact_id: p.contact_id ?? null,
    itinerary_ids: p.itinerary_ids ?? [],
    audio_main_media_id: p.audio_main_media_id ?? null,
    audio_transition_media_id: p.audio_transition_media_id ?? null,
    custom: p.custom,
    price_cents: p.price_cents,
    max_price_cents: p.max_price_cents,
    price_includes: p.price_includes,
    price_excludes: p.price_excludes,
    deposit_percent: p.deposit_percent,
    booking_url: p.booking_url,
    booking_label: p.booking_label,
    bookable: p.bookable,
    bike_carriage: p.bike_carriage,
    file_number: p.file_number,
    progress_status: p.progress_status,
    availability: p.availability,
    display_priority: p.display_priority,
    distribute_partners: p.distribute_partners,
    distribute_own: p.distribute_own,
    steps: p.steps.map(stepValue),
  }
}

type Patch = Partial<SheetValues>

const written = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text.trim() === '' ? null : text.trim()

const stepInput = (step: StepValue): StepInput => ({
  ...step,
  id: step.id ?? null,
  line_ids: step.line_ids ?? [],
  title: emptied(step.title),
  description: emptied(step.description),
})

/** A text without the languages in which nothing is written: steps are sent whole, there is nothing to erase. */
const emptied = (text: Text): Text =>
  Object.fromEntries(Object.entries(text).filter(([, words]) => words !== undefined && words !== null && words.trim() !== ''))

/** The changed leaves as the merge patch that is sent: one line emptied is `null`, an emptied period is left out. */
export function toPatch(changed: Patch): ParcoursPatch {
  const { steps, availability, custom, copyright, booking_url, file_number, special_levels, ...rest } = changed
  return {
    ...rest,
    ...(custom === undefined ? {} : { custom: customBody(custom) }),
    ...(copyright === undefined ? {} : { copyright: written(copyright) }),
    ...(booking_url === undefined ? {} : { booking_url: written(booking_url) }),
    ...(file_number === undefined ? {} : { file_number: written(file_number) }),
    // In a merge patch `null` takes a scale away; the record itself never holds one.
    ...(special_levels === undefined ? {} : { special_levels: special_levels as Record<string, number> }),
    ...(steps === undefined ? {} : { steps: steps.map(stepInput) }),
    ...(availability === undefined ? {} : { availability }),
  }
}
