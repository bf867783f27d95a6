/** The tabs of a sheet, in their order; the address names them (`?tab=sales`). */
export const tabKeys = ['itinerary', 'information', 'sales', 'roadbook', 'audio', 'sharing', 'reviews'] as const
export type TabKey = (typeof tabKeys)[number]

/** Tabs that need the whole width: there is no column beside them. */
export const wideTabs: readonly TabKey[] = ['roadbook', 'audio']

/** The fields of each tab; fields beside the tabs count with the information. */
export const tabFields: Record<TabKey, readonly string[]> = {
  itinerary: ['steps'],
  information: [
    'title',
    'subtitle',
    'summary',
    'description',
    'anonymous_title',
    'anonymous_description',
    'meta_title',
    'meta_description',
    'copyright',
    'is_stay',
    'is_loop',
    'relation',
    'parent_id',
    'model_id',
    'practice_type_id',
    'level_id',
    'special_levels',
    'theme_ids',
    'tag_ids',
    'marking_ids',
    'equipment_ids',
    'media_ids',
    'poi_ids',
    'contact_id',
    'itinerary_ids',
    'audio_main_media_id',
    'audio_transition_media_id',
    'custom',
    'bike_carriage',
    'progress_status',
    'availability',
    'display_priority',
    'distribute_partners',
    'distribute_own',
  ],
  sales: [
    'price_cents',
    'max_price_cents',
    'price_includes',
    'price_excludes',
    'deposit_percent',
    'booking_url',
    'booking_label',
    'bookable',
    'file_number',
  ],
  // These tabs save their own data.
  roadbook: [],
  audio: [],
  sharing: [],
  reviews: [],
}

/** The tab an address asks for; what it does not know is the first one. */
export const readTab = (requested: string | undefined): TabKey => tabKeys.find((key) => key === requested) ?? 'itinerary'

/** The tab of a field of the form (`title.fr`, `availability.0.to`). */
export const tabOf = (path: string): TabKey => {
  const field = path.split('.')[0] ?? ''
  return tabKeys.find((key) => tabFields[key].includes(field)) ?? 'information'
}
