/** The words of the API as the screens use them. Units stand in names; instants are RFC 3339 UTC, days are `YYYY-MM-DD`. */
export type Text = Partial<Record<string, string>>
export type Position = [number, number] | [number, number, number]
export type LngLat = [number, number]

export type Capability =
  | 'content.read' | 'content.export' | 'content.write' | 'content.publish' | 'content.import' | 'content.share'
  | 'agency.fields' | 'users.manage' | 'settings.manage' | 'reference.manage' | 'translators.manage'

export interface WhiteLabelRef { id: number; name: string; kind: string; initials: string; color: string }
export interface Named { id: number; name: string }
export interface Me {
  id: number
  first_name: string
  last_name: string
  email: string
  role: 'superadmin' | 'admin' | 'agency' | 'editor' | 'reader'
  locale: 'fr' | 'en'
  advanced_view: boolean
  /** Whether a letter alone is a shortcut. */
  single_keys: boolean
  structure: Named
  white_labels: WhiteLabelRef[]
  active_white_label_id: number
  capabilities: Capability[]
  session_expires_at: string
  /** A second step at sign-in: set up or not, and whether the house asks for it. */
  totp_enabled: boolean
  totp_required: boolean
}

/** Where one is signed in. */
export interface OwnSession {
  id: number
  browser: string | null
  system: string | null
  created_at: string
  last_seen_at: string
  current: boolean
}

export interface Payload {
  product: string
  version: string
  build_id: string
  api_base: string
  locales: string[]
  default_locale: string | null
  content_languages: string[]
  environment: 'production' | 'preproduction' | 'none'
  preproduction_url: string | null
  issue_tracker_url: string
  map: { style_light: string; style_dark: string; bbox: [number, number, number, number]; center: LngLat; attribution: string; data_date: string | null; styles?: { code: string; label: Text | string; recommended: boolean }[] }
  limits: { trace_bytes: number; trace_points: number; media?: MediaLimits }
  profiles: string[]
  reliability_threshold: number
}

export type ReliabilityState = 'ok' | 'low' | 'not_calculable' | 'source' | 'stale' | 'none'
export type ProgressStatus = 'to_review' | 'to_fix' | 'on_hold' | 'archived'
export type Relation = 'none' | 'model_only' | 'child' | 'child_only'
export type StretchKind = 'planned' | 'off_network' | 'unjudged' | 'closed'
/** One stretch of a ruban: `from` and `to` are shares of the length, 0 to 1. */
export interface RibbonStretch { from: number; to: number; kind: StretchKind }
export type TriState = 'yes' | 'no' | 'inherit'

export interface ParcoursRow {
  id: number
  title: Text
  white_label: Named
  mine: boolean
  practice_type_id: number | null
  level_id: number | null
  is_loop: boolean | null
  is_stay: boolean | null
  relation: Relation
  distance_m: number | null
  duration_s: number | null
  ascent_m: number | null
  stages: number
  children: number
  reliability: number | null
  reliability_state: ReliabilityState
  ribbon: RibbonStretch[]
  glyph: string | null
  start: LngLat | null
  published: boolean
  published_on_mine: boolean | null
  progress_status: ProgressStatus | null
  missing: string[]
  languages: string[]
  /** How it stands on each channel, in their order. */
  passport?: ChannelState[]
  /** A closure that holds today lies on it. */
  closed?: boolean
  custom?: Record<string, unknown>
  updated_at: string
  version: number
}
export interface ParcoursList { items: ParcoursRow[]; total: number; total_capped: boolean; counts: { mine: number; shared: number; hidden_by_progress: number } }
export interface ParcoursViews { all: number; incomplete: number; low_reliability: number }
export interface ParcoursMap {
  clusters: { position: LngLat; count: number; bbox: [number, number, number, number] }[]
  items: { id: number; title: Text; start: LngLat; line: LngLat[] | null; closed: boolean }[]
  total: number
}

export type StepKind = 'waypoint' | 'step' | 'optional_step' | 'night' | 'nights' | 'step_night' | 'departure' | 'arrival' | 'favourite' | 'advice'
export interface Step {
  id: number
  kind: StepKind
  title: Text
  description: Text
  position: Position
  at_m: number
  /** Metres to the line, of a step that stands beside it. */
  beside_m?: number | null
  distance_to_next_m: number | null
  duration_to_next_s: number | null
  distance_to_next_typed_m: number | null
  duration_to_next_typed_s: number | null
  practice_type_id: number | null
  nights: number | null
  /** Lines of public transport that come by. */
  line_ids?: number[]
}
export type StepInput = Partial<Omit<Step, 'kind' | 'position'>> & Pick<Step, 'kind' | 'position'>

export interface ReliabilityGap {
  cause: 'no_way' | 'forbidden' | 'constant_shift' | 'recording_hole' | 'outside_extract' | 'sparse' | 'kept_off_network'
  judged: boolean
  from_m: number
  to_m: number
  length_m: number
  max_offset_m: number
  points: number
  line: Position[]
  fix: { kind: string; line: Position[]; distance_m: number } | null
  way_id: number | null
  /** What can be done, the best first; absent on what was scored before the planner told it. */
  remedies?: ('follow_way' | 'snap' | 'keep_off_network' | 'report_way')[]
  /** Where the map can be corrected; absent on what was scored before the planner told it. */
  edit_url?: string | null
  /** Somebody lets it be: why, who, when. It keeps its points. */
  ignored?: { reason: string; by: { id: number; name: string } | null; at: string } | null
}
export interface ReliabilityView {
  percent: number
  not_calculable: { reason: string; share: number } | null
  judged_m: number
  on_network_m: number
  hole_m: number
  outside_m: number
  sparse_m?: number
  sigma_m: number
  tolerance_m: number
  gaps: ReliabilityGap[]
  remarks: { kind: 'wrong_way'; from_m: number; to_m: number }[]
}
export interface TraceSummary {
  mode: 'planner' | 'source'
  origin: 'imported' | 'drawn'
  source_file: { name: string; format: string; bytes: number; points: number; sha256: string } | null
  distance_m: number
  duration_s: number | null
  distance_typed_m: number | null
  duration_typed_s: number | null
  ascent_m: number | null
  descent_m: number | null
  min_ele_m: number | null
  max_ele_m: number | null
  profile: string
  reliability: ReliabilityView | null
  reliability_state: ReliabilityState
  bbox: [number, number, number, number] | null
  repairs: Repair[]
  pieces: number
  computed_at: string
  engine: string
  data_date: string | null
  revision: number
  /** Why there is no planned line, as an error code. */
  notice?: string | null
}
export interface Repair {
  /** What it is called when the file is to be read again without it. */
  id?: string
  kind: string
  count: number
  line: number | null
  /** Whether the file can be read without it. */
  undoable?: boolean
}
export interface Leg { kind: 'source' | 'planned' | 'free'; line: Position[] }
export type InstructionKind = 'depart' | 'continue' | 'slight_left' | 'turn_left' | 'sharp_left' | 'slight_right' | 'turn_right' | 'sharp_right' | 'u_turn' | 'roundabout' | 'ferry' | 'steps' | 'via' | 'off_network' | 'rejoin' | 'arrive'
export interface Instruction { kind: InstructionKind; at_m: number; length_m: number; name: string | null; exit?: number; fr: string; en: string; position: Position }
export interface Trace extends TraceSummary {
  source_line: Position[] | null
  legs: Leg[]
  line: Position[]
  planned_line: Position[] | null
  instructions: Instruction[]
  source_gaps: { after_piece: number; distance_m: number }[]
}
/** A stretch that somebody lets be, in metres of the working revision. */
export interface IgnoredGapInput { cause: string; from_m: number; to_m: number; reason: string }
export interface TraceInput { mode: 'planner' | 'source'; profile?: string; legs: Leg[]; ignored_gaps?: IgnoredGapInput[]; steps?: StepInput[]; distance_typed_m?: number | null; duration_typed_s?: number | null; forced?: boolean; source?: SourceInput; is_loop?: boolean | null }
/** Another recording than the one that is kept: a file, or that of an earlier revision. */
export type SourceInput = { from: 'file'; name: string; bytes: string; join?: 'true' | 'first' | 'longest'; without_repairs?: string[] } | { from: 'revision'; revision: number }
export interface TraceInspection {
  format: string
  name: string | null
  points: number
  distance_m: number
  ascent_m: number | null
  repairs: Repair[]
  pieces: { points: number; distance_m: number; line: Position[] }[]
  gaps: { after_piece: number; distance_m: number }[]
  waypoints: { name: string | null; description?: string | null; position: Position }[]
  line: Position[]
}
export type Surface = 'unknown' | 'paved' | 'paving_stones' | 'cobblestone' | 'compacted' | 'gravel' | 'ground' | 'rock' | 'soft'
export type WayKind = 'other' | 'motorway' | 'trunk' | 'primary' | 'secondary' | 'tertiary' | 'unclassified' | 'residential' | 'living_street' | 'service' | 'track' | 'path' | 'footway' | 'pedestrian' | 'cycleway' | 'bridleway' | 'steps' | 'ferry' | 'via_ferrata'
/** A way of the planner; between two points asked for lies one of its legs. */
export interface PlannedRoute {
  geometry: Position[]
  legs: { from_index: number; to_index: number; distance_m: number; snap_from_m: number; snap_to_m: number }[]
  distance_m: number
  duration_s: number
  ascent_m: number | null
  descent_m: number | null
  /** Longest first. */
  surfaces: { surface: Surface; length_m: number }[]
  /** Longest first; null off the network. */
  way_kinds: { kind: WayKind | null; length_m: number }[]
  instructions: Instruction[]
}
/** A part of the land that a way keeps out of. */
export type Avoided = { area: Position[] } | { along: { line: Position[]; within_m: number } }
export interface RouteInput { points: Position[]; profile: string; avoid?: Avoided[]; month?: number }
export interface TraceAnalysis {
  /** The line the applications use: below the threshold, the source's own. */
  line: Position[]
  /** What the planner makes of it, whatever its index. */
  planned_line?: Position[] | null
  distance_m: number
  duration_s: number | null
  ascent_m: number | null
  descent_m: number | null
  min_ele_m: number | null
  max_ele_m: number | null
  reliability: ReliabilityView | null
  reliability_state: ReliabilityState
  instructions: Instruction[]
  warnings: ('loop_like' | 'one_way_like')[]
  /** Why there is no planned line, as an error code. */
  notice?: string | null
}
export interface PlannerStatus { ready: boolean; profiles: string[]; data_date: string | null; engine: string; [name: string]: unknown }

/** The whole sheet; `description`, `anonymous_description`, `price_includes`, `price_excludes` hold sanitised HTML. */
export interface Parcours {
  id: number
  version: number
  white_label: Named
  structure: Named
  mine: boolean
  editable: boolean
  locked_reason: null | 'not_yours' | 'role'
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
  children: { id: number; title: Text; position: number; closed?: boolean }[]
  /** Published children of other white-labels; empty for people of other white-labels. */
  child_requests?: ChildRequest[]
  /** What the owner of its parent decided, where the parent is of another white-label. */
  parent_decision?: ChildDecision | null
  model_id: number | null
  practice_type_id: number | null
  level_id: number | null
  special_levels: Record<string, number>
  theme_ids: number[]
  tag_ids: number[]
  marking_ids: number[]
  equipment_ids: number[]
  poi_ids: number[]
  media_ids: number[]
  contact_id?: number | null
  itinerary_ids?: number[]
  audio_main_media_id?: number | null
  audio_transition_media_id?: number | null
  /** What the white-label's own fields hold, by their keys. */
  custom?: Record<string, unknown>
  passport?: Channel[]
  closures?: ClosureOnParcours[]
  price_cents: number | null
  max_price_cents: number | null
  price_includes: Text
  price_excludes: Text
  deposit_percent: number | null
  booking_url: string | null
  booking_label: Text
  bookable: TriState
  effective_bookable: boolean
  bike_carriage: TriState
  effective_bike_carriage: boolean | null
  file_number: string | null
  published: boolean
  progress_status: ProgressStatus | null
  availability: { from: string; to: string }[]
  display_priority: 0 | 1 | 2
  distribute_partners: boolean
  distribute_own: boolean
  white_labels: { id: number; name: string; published: boolean }[]
  steps: Step[]
  trace: TraceSummary | null
  created_at: string
  updated_at: string
  updated_by: Named | null
}
export type ChannelKey = 'app' | 'white_label' | 'widget' | 'open_data' | 'roadbook'
export type ChannelState = 'ready' | 'to_check' | 'missing'
/** One way out of the house, and what the parcours lacks for it. */
export interface Channel { channel: ChannelKey; state: ChannelState; lacks: { code: string; field: string | null; severity: string }[] }
/** How a closure stands today; nobody opens it again, its last day does. */
export type ClosureState = 'now' | 'later' | 'past'
/** A closure that lies on a parcours: from which metre to which. */
export interface ClosureOnParcours { id: number; title: Text; kind: string; from: string; to: string | null; state: ClosureState; reason: Text; stretches: { from_m: number; to_m: number }[] }
/** A way round a closed stretch: from where it leaves the parcours to where it comes back. */
export interface Detour { from_m: number; to_m: number; line: Position[]; distance_m: number; extra_m: number; published: boolean }
/** The same with a way round each stretch, in their order; none where there is no such way. */
export interface ClosureWithDetours extends ClosureOnParcours { detours: (Detour | null)[] }
/** A way or a place that is shut for a time. */
export interface Closure {
  id: number
  version: number
  title: Text
  kind: string
  reason: Text
  geometry: { type: 'Polygon'; coordinates: Position[][] } | { type: 'LineString'; coordinates: Position[] } | null
  from: string
  to: string | null
  state: ClosureState
  parcours_total: number
  report_id: number | null
  /** The field report that it answers, for the staff of its parcours. */
  report: { id: number; parcours_id: number; kind: ReportKind; text: string; language: string; photo_url: string | null } | null
  white_label: Named
  mine: boolean
  updated_at: string
}
/** The address of a hotel or a hire shop, with the parcours near its door. */
export interface ProviderLink extends Owned {
  id: number
  version: number
  name: string
  tagline: Text
  logo_media_id: number | null
  location: LngLat | null
  address: string | null
  website: string | null
  radius_km: number | null
  practice_ids: number[]
  theme_ids: number[]
  language: 'fr' | 'en'
  revoked: boolean
  note: string | null
  url: string
  /** How often its page was opened. */
  opened: number
  updated_at: string
  updated_by: Named | null
}
/** Whom an act would reach, before it is done. */
export interface Impact {
  white_labels: { id: number; name: string }[]
  parcours: { id: number; title: Text }[]
  shares: { permanent: number; temporary: number; opened: number; qr_printed: number }
  /** The lists name the first fifty. Parcours that this person does not see are counted and not named. */
  total: { white_labels: number; parcours: number; hidden_parcours: number }
}
/** What a JSON merge patch of a sheet may carry. */
export type ParcoursPatch = Partial<Omit<Parcours, 'id' | 'version' | 'steps' | 'trace' | 'availability'>> & { steps?: StepInput[]; availability?: { from: string; to: string }[] }
/** What uses a parcours; `hidden_total` more this person does not see. */
export interface ParcoursUses { items: ParcoursUse[]; hidden_total: number; /** The parent under which it is shown. */ shown_under: { id: number; title: Text } | null }
export type ParcoursUse = { kind: 'child' | 'model' | 'share' | 'white_label'; id: number; title: Text | string }
export interface RevisionRow { version: number; at: string; user: Named | null; fields: string[]; reason: null | 'recalculation' | 'import' | 'restore' | 'bulk' }
export interface Revision { version: number; at: string; user: Named | null; parcours: Parcours }

export type BulkAction = 'publish' | 'unpublish' | 'distribute_own' | 'undistribute_own' | 'use_source' | 'bike_carriage' | 'bookable'
export interface BulkRequest { ids?: number[]; filter?: Record<string, string>; action: BulkAction; value?: TriState; dry_run: boolean }
export interface BulkReport { applied: number; unchanged: number; refused: number; items: { id: number; title: Text; outcome: 'applied' | 'unchanged' | 'refused'; code?: string }[]; undo_token?: string }

export type VocabularyKind = 'marking' | 'equipment' | 'tag' | 'level' | 'practice_type' | 'parcours_theme' | 'poi_theme' | 'poi_category' | 'structure_type'
export interface VocabularyItem { id: number; version: number; uses_total?: number; code: string; parent_id: number | null; label: Text; description: Text; icon: string | null; color: string | null; order: number; attributes: Record<string, unknown> }

/** What belongs to a white-label and may be shown by others. */
export interface Owned {
  mine: boolean
  editable: boolean
  locked_reason: null | 'not_yours' | 'role'
  white_label: Named
  white_labels: { id: number; name: string; published: boolean }[]
  published_on_mine: boolean | null
}
export interface PoiFlags { good_address: boolean; must_see: boolean; detour_point: boolean; landmark: boolean; bookable: boolean }
export interface PoiRow {
  id: number
  version: number
  title: Text
  location: LngLat | null
  flags: PoiFlags
  category_ids: number[]
  published: boolean
  distribute: boolean
  custom?: Record<string, unknown>
  mine: boolean
  white_label: Named
  published_on_mine: boolean | null
  missing: string[]
  updated_at: string
}
export interface Poi extends Owned {
  id: number
  version: number
  title: Text
  description: Text
  location: LngLat | null
  flags: PoiFlags
  category_ids: number[]
  theme_ids: number[]
  media_ids: number[]
  address: Address
  phone: string | null
  email: string | null
  website: string | null
  opening: Text
  booking_url: string | null
  distribute: boolean
  published: boolean
  missing: string[]
  custom: Record<string, unknown>
  updated_at: string
  updated_by: Named | null
}
export interface PointsMap {
  clusters: { position: LngLat; count: number; bbox: [number, number, number, number] }[]
  items: { id: number; title: Text; position: LngLat; published: boolean }[]
  total: number
}
/** What a file may be; the import screen tells it before anything is sent. */
export interface MediaLimits {
  image: { min_width: number; min_height: number; max_bytes: number; max_pixels: number; formats?: string[] }
  /** Of a white-label's logo. */
  logo?: { min_width: number; max_bytes: number; formats?: string[] }
  video: { max_bytes: number; advice_bytes_per_s: number; formats?: string[] }
  audio: { max_bytes: number; advice_bytes_per_min: number; formats?: string[] }
  pdf: { max_bytes: number; formats?: string[] }
  font: { max_bytes: number; formats?: string[] }
}
export type MediaKind = 'image' | 'video' | 'audio' | 'pdf' | 'font'
export interface MediaRow {
  id: number
  version: number
  kind: MediaKind
  file_name: string
  bytes: number
  width: number | null
  height: number | null
  duration_s: number | null
  pages: number | null
  legend: Text
  alt: Text
  copyright: string | null
  thumb_url: string | null
  url: string
  mine: boolean
  white_label: Named
  uses_total: number
  duplicates?: number[]
  updated_at: string
}
export interface Media extends Owned {
  id: number
  version: number
  kind: MediaKind
  /** How far the server is with its sizes. */
  state?: 'ready' | 'processing' | 'broken'
  file_name: string
  mime: string
  bytes: number
  width: number | null
  height: number | null
  duration_s: number | null
  pages: number | null
  legend: Text
  alt: Text
  copyright: string | null
  location: LngLat | null
  location_offered: LngLat | null
  focal: { x: number; y: number }
  crop: { x: number; y: number; w: number; h: number } | null
  translated: Record<string, { file_name: string; bytes: number; url: string }>
  variants: { name: string; width: number | null; format: string; url: string }[]
  poster_url: string | null
  waveform: number[] | null
  specimen_url: string | null
  url: string
  thumb_url: string | null
  sha256: string
  duplicates: number[]
  uses_total: number
  updated_at: string
  updated_by: Named | null
}

export interface Share { id: number; url: string; token: string; expires_at: string; created_at: string; created_by: Named | null; revoked_at: string | null; state: 'active' | 'expired' | 'revoked' }
export interface Shares { permanent: { id?: number; url: string; token: string } | null; temporary: Share[]; public_url: string | null }
export interface Presence { others: { name: string; initials: string; editing: boolean; since: string }[] }
export interface GuideIndex { version: string; contact: string | null; pages: { slug: string; title: string; excerpt?: string }[] }
export interface GuidePage { slug: string; title: string; html: string }
export interface Page<T> { items: T[]; total: number; total_capped?: boolean; counts?: { mine: number; shared: number } }

/* The catalogue: what every resource answers in one way. */
export interface RecordUse { kind: string; id: number; title: Text | string }
/** What uses a record; `hidden_total` of them this person does not see. */
export interface RecordUses { items: RecordUse[]; total: number; hidden_total: number }
export interface ResourceRevision<R> { version: number; at: string; user: Named | null; record: R }
export interface BulkAsked { ids?: number[]; filter?: Record<string, string>; action: string; value?: unknown; dry_run: boolean }
/** So many, and the query of the list that shows them. */
export type ChildDecision = 'waiting' | 'accepted' | 'refused'
export interface ChildRequest { id: number; title: Text; white_label: Named; decision: ChildDecision; decided_at: string | null; decided_by: Named | null }
export interface Heap { count: number; query: string }
export type Waiting = Record<'drafts' | 'to_review' | 'to_fix' | 'low_reliability' | 'incomplete', Heap> & { lost_guidance?: Heap; reviews?: Heap; field_reports?: Heap; children?: Heap }
/** The network that parcours are scored on; what is not known of it is null. */
export interface WatchNetwork { engine: string | null; data_date: string | null; checksum: string | null }
type WatchCounts = Record<'lost' | 'gained' | 'better' | 'worse', number>
export interface WatchRun {
  id: number
  state: 'running' | 'done' | 'failed'
  /** Asked for by somebody, on the network in use. */
  forced: boolean
  asked_by: Named | null
  before: WatchNetwork | null
  after: WatchNetwork
  total: number
  scored: number
  failed: number
  counts: WatchCounts
  started_at: string
  finished_at: string | null
}
export interface WatchState { run: WatchRun | null; waiting: WatchCounts; may_run: boolean }
export interface WatchStretch {
  from_km: number
  to_km: number
  length_m: number
  cause: Exclude<ReliabilityGap['cause'], 'kept_off_network'> | 'now_on_way'
  /** What it was on the old network; null where it fitted. */
  was: ReliabilityGap['cause'] | null
  max_offset_m: number
  geometry: LngLat[]
  /** OpenStreetMap's ways that it ran on before, and runs on now. */
  ways_left: number[]
  ways_used: number[]
  way_id: number | null
  edit_url: string | null
}
export interface WatchScore { percent: number | null; state: 'ok' | 'low' | 'not_calculable'; data_date: string | null }
export interface WatchChange {
  id: number
  run_id: number
  parcours: { id: number; title: Text; white_label: Named }
  mine: boolean
  editable: boolean
  guidance: 'lost' | 'gained' | 'none'
  before: WatchScore
  after: WatchScore
  stretches: WatchStretch[]
  at: string
  seen: { at: string; by: Named | null } | null
}
/** What a stored trace has otherwise than a save would store it. */
export type TraceFault =
  | { kind: 'step_off_line'; step_id: number; title: Text; metres: number }
  | { kind: 'step_not_at_end' | 'step_out_of_order'; step_id: number; title: Text }
  | { kind: 'other_length'; sheet_m: number; line_m: number }
export interface FaultyTrace {
  parcours: { id: number; title: Text; white_label: Named }
  editable: boolean
  faults: TraceFault[]
}
/* Public transport from its operators' feeds. */
export interface TransportFeedOptions {
  name: string
  url: string | null
  schedule: ImportOptions['schedule']
  notify_email: string | null
  show_stops: boolean
}
export interface TransportFeed extends TransportFeedOptions {
  id: number
  version: number
  updated_at: string
  updated_by: Named | null
  editable: boolean
  credential_set: boolean
  file: { name: string; bytes: number; sha256: string } | null
}
export interface FeedCounts { lines: number; stops: number; stop_times: number; refreshed: number; gone: number }
export interface FeedEdition { counts: FeedCounts; from_day: string | null; to_day: string | null; is_over: boolean; read_at: string }
export interface TransportRun {
  id: number
  feed_id: number
  state: ImportRun['state']
  phase: 'fetch' | 'read' | 'follow'
  done: number
  total: number | null
  unchanged: boolean
  counts: FeedCounts
  notes: ImportNote[]
  failure: ImportNote | null
  cancelling: boolean
  asked_by: Named | null
  started_at: string
  finished_at: string | null
}
export type DayKind = 'weekday' | 'saturday' | 'sunday'
export interface Departures { day: DayKind; first_s: number; last_s: number; towards?: string; until?: string; weekdays?: number[]; on?: string }
export interface TransitLine {
  route: string
  code: string
  long_name: string
  operator: string | null
  mode: LineMode
  color: string | null
  text_color: string | null
  website: string | null
  trips: number
  bikes: { yes: number; no: number; unknown: number }
  bookable: boolean
  booking: { url: string | null; phone: string | null; message: string | null } | null
  bike_carriage: TransportLine['bike_carriage']
  line_id: number | null
}
export type TransportPlaceKind = 'departure' | 'departure_arrival' | 'step' | 'arrival'
export interface FeedLine extends TransitLine { near: { stop: string; distance_m: number; place: TransportPlaceKind; title: Text } | null }
export interface FeedLines { items: FeedLine[]; total: number; edition: FeedEdition | null; operators: string[] }
export interface FeedLineStop { name: string; position: [number, number]; departures: Departures[] }
export interface TransportStop { feed_id: number; name: string; position: [number, number]; distance_m: number; lines: (TransitLine & { departures: Departures[] })[] }
export interface WayHome { day: DayKind; last_s: number; towards: string | null; until: string | null; code: string; stop: string; distance_m: number; bookable: boolean; weekdays: number[]; on: string | null; leave_by_s: number | null; pauses_s: number }
export interface ParcoursTransport {
  feeds: number
  radius_m: number
  duration_s: number | null
  places: { kind: TransportPlaceKind; step_id: number | null; title: Text; stops: TransportStop[] }[]
  ways_home: WayHome[]
}
/* Route imports. */
export type ImportKind = 'files' | 'geotrek' | 'schema_randonnee' | 'cirkwi' | 'features' | 'apidae' | 'datatourisme' | 'jalon'
export type ImportTarget =
  | 'title' | 'subtitle' | 'summary' | 'description' | 'audio_guide' | 'copyright' | 'booking_url' | 'practice' | 'level'
  | 'themes' | 'tags' | 'markings' | 'shape' | 'distance' | 'duration' | 'departure' | 'arrival'
export interface ImportFieldRule { to: ImportTarget; from: string[] }
export interface ImportValueRule { list: VocabularyKind; key: string; term_id: number | null }
export interface ImportOptions {
  name: string
  kind: ImportKind
  url: string | null
  host: string | null
  distribute_own: boolean
  force_published: 'keep' | 'published' | 'unpublished'
  force_source_geometry: boolean
  schedule: 'never' | 'hourly' | 'daily' | 'weekly'
  notify_email: string | null
}
export interface ImportSource extends ImportOptions {
  id: number
  version: number
  updated_at: string
  updated_by: Named | null
  editable: boolean
  credential_set: boolean
  fields: ImportFieldRule[]
  values: ImportValueRule[]
  file: { name: string; bytes: number; sha256: string } | null
}
export interface ImportNote { code: string; params?: Record<string, string>; field?: string | null }
export type ImportOutcome = 'created' | 'updated' | 'refused' | 'to_merge' | 'gone' | 'kept' | 'undone'
export interface ImportRun {
  id: number
  source_id: number
  source_name?: string
  mode: 'real' | 'dry' | 'retry' | 'undo'
  state: 'running' | 'done' | 'failed' | 'cancelled'
  phase: string
  done: number
  total: number | null
  counts: Record<ImportOutcome | 'unchanged', number>
  error_count: number
  failure: ImportNote | null
  cancelling: boolean
  asked_by: Named | null
  undoable: boolean
  started_at: string
  finished_at: string | null
  undone_at: string | null
}
export interface ImportLine { id: number; item: string; outcome: ImportOutcome; title: string; parcours_id: number | null; record_id: number | null; notes: ImportNote[]; changes: { field: string; before: unknown; after: unknown }[]; /** Somebody must still say whether it is that parcours. */ waits: boolean }
export interface ImportWord { list: VocabularyKind; key: string; label: Text; term_id: number | null; state: 'mapped' | 'alike' | 'left_out' | 'waiting' }
export interface ImportMapping {
  targets: { target: ImportTarget; several: boolean }[]
  rules: ImportFieldRule[]
  fields: { name: string; sample: string }[]
  words: ImportWord[]
  waiting: number
}
export interface LatestEdit { kind: string; id: number; title: Text; at: string; user?: Named | null; closed?: boolean }
export interface Dashboard { waiting: Waiting; latest: LatestEdit[]; counts: Record<'parcours' | 'pois' | 'medias', number>; checklist: Record<'import' | 'reliability' | 'published', boolean> }
export interface SavedView { id: number; name: string; query: string; columns: string[]; shared: boolean; mine: boolean }
export interface BinItem { id: number; kind: string; record_id: number; title: Text | string; deleted_at: string; deleted_by: Named | null; expires_at: string; white_label: Named | null }
/** What came back out of the bin, in how many places it stands again, and how many stay without it. */
export interface BroughtBack { kind: string; record_id: number; put_back: number; left: number }
export type OpenDataLicence = 'etalab' | 'odbl' | 'cc_by' | 'cc_by_sa'
export type WhiteLabelKind = 'common' | 'destination' | 'travel' | 'app'
export interface Bounds { ne: LngLat; sw: LngLat }
export type CustomType = 'text' | 'long_text' | 'number' | 'bool' | 'date' | 'url' | 'choice'
export interface CustomField { key: string; type: CustomType; label: Text; options?: string[]; on: 'parcours' | 'poi'; required: boolean }
export interface WhiteLabelFlags { distribute_pois: boolean; distribute_parcours: boolean; public_transport: boolean; tourist_maas: boolean; cycle_map: boolean }
export interface WhiteLabelRow { id: number; version: number; name: string; kind: WhiteLabelKind; published: boolean; domain: string | null; structure: Named | null; colors?: { primary: string | null }; updated_at: string }
export interface WhiteLabel {
  id: number
  version: number
  name: string
  slug: string
  kind: WhiteLabelKind
  structure_id: number
  structure: Named | null
  contact_id: number | null
  published: boolean
  domain: string | null
  preproduction_domain: string | null
  sit_record_url: string | null
  return_url: string | null
  colors: { primary: string | null; secondary: string | null; tertiary: string | null }
  fonts: { title_media_id: number | null; text_media_id: number | null }
  logo_media_id: number | null
  pdf_logo_media_id: number | null
  pdf_background_media_id: number | null
  map_style: string | null
  bounds: Bounds | null
  center: LngLat | null
  zoom: number | null
  planner_profiles: string[]
  planner_preferences: Record<string, PlannerPreference>
  analytics: { web: string | null; android: string | null; ios: string | null }
  api_key: { prefix: string; created_at: string } | null
  translator_id: number | null
  translation_key_set: boolean
  custom_fields: CustomField[]
  poi_filter: { category_ids?: number[]; theme_ids?: number[] }
  parcours_filter: { practice_type_ids?: number[]; is_loop?: boolean | null }
  rating_min: number | null
  rating_max: number | null
  flags: WhiteLabelFlags
  allowed_origins: string[]
  open_data_licence: OpenDataLicence
  deposit_percent: number | null
  pauses_percent: number | null
  updated_at: string
  updated_by: Named | null
}
export type PlannerLevel = 'less' | 'usual' | 'more'
export interface PlannerPreference { signed: PlannerLevel; quiet: PlannerLevel; gentle: PlannerLevel; paved: PlannerLevel }
export type LineMode = 'tram' | 'metro' | 'rail' | 'bus' | 'ferry' | 'cable' | 'gondola' | 'funicular' | 'coach' | 'other'
export interface LineCondition { white_label_id: number | null; region: string | null; text: Text }
export interface TransportLine {
  id: number
  version: number
  long_name: string
  short_name: string
  operator: string | null
  mode: LineMode
  color: string | null
  text_color: string | null
  bike_carriage: 'yes' | 'no' | 'conditions' | 'unknown'
  bookable: boolean
  booking_url: string | null
  booking_phone: string | null
  booking_note: Text
  conditions: LineCondition[]
  website: string | null
  white_label?: Named | null
  updated_at: string
}
export interface Itinerary {
  id: number
  version: number
  name: Text
  kind: 'cycle_route' | 'river'
  code: string | null
  color: string | null
  description: Text
  /** Absent in lists. */
  line: { type: 'MultiLineString'; coordinates: Position[][] } | null
  /** Zero where there is no line. */
  length_m: number
  updated_at: string
}
export interface Address { street: string | null; postcode: string | null; city: string | null; country: string | null }
export interface Structure {
  id: number
  version: number
  name: string
  kind_id: number | null
  registration: string | null
  guarantor: string | null
  insurer: string | null
  mediator: string | null
  address?: Address
  /** Where one asks: degrees east and north. */
  location: [number, number] | null
  website: string | null
  phone: string | null
  email: string | null
  contact_id: number | null
  updated_at: string
}
export interface Contact {
  id: number
  version: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  function: string | null
  structure_id: number
  structure?: Named
  white_label_ids: number[]
  updated_at: string
}
export interface User {
  id: number
  version: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  address: string | null
  postcode: string | null
  city: string | null
  country: string | null
  role: Me['role']
  structure_id: number
  structure?: Named
  white_label_ids: number[]
  locale: 'fr' | 'en'
  status: 'active' | 'blocked'
  billing_client_id: string | null
  last_login_at: string | null
  invited_at: string | null
  /** Has chosen a password: somebody invited has not yet. */
  has_password: boolean
  totp_enabled: boolean
  updated_at: string
}

/** Something to look at in a roadbook that was made. */
export interface RoadbookWarning {
  code: string
  day: number | null
  /** On the disc of the step: a number, or the letter of a turn or place. */
  step: string | null
  subject: string
  /** Of `text_missing`: texts of one record that are not written in the roadbook's language. */
  texts: { kind: string; id: number; fields: string[]; language: string; printed_in: string } | null
}
/** Pages as pictures: PNG in base64. */
export interface RoadbookPreview { total: number; pages: { number: number; png: string }[]; warnings: RoadbookWarning[] }
/** Roadbooks printed many at once, in the background. */
export interface RoadbookBatch {
  id: number
  state: 'running' | 'done' | 'cancelled'
  total: number
  done: number
  printed: number
  refused: { id: number; title: Text; code?: string | null; params?: Record<string, unknown> }[]
  size_bytes: number | null
  created_at: string
  finished_at: string | null
}
/** The travel notebook of a parcours. */
export const roadbookPageKinds = ['front_cover', 'welcome', 'description', 'overview', 'map', 'profile', 'steps', 'stay', 'photos', 'notes', 'voucher', 'memo', 'back_cover'] as const
export type RoadbookPageKind = (typeof roadbookPageKinds)[number]
export interface RoadbookPage {
  kind: RoadbookPageKind
  on: boolean
  title: Text
  text: Text
  media_id: number | null
  count: number | null
  table: boolean
  profile: boolean
}
export interface RoadbookContact { role: string; name: string; phone: string; note: string }
export interface RoadbookMeal { name: string; hour: string; included: boolean; price: string }
export interface RoadbookStay {
  step_id: number
  name: string
  kind: string
  address: string[]
  phone: string
  web: string
  check_in: string | null
  check_out: string | null
  code: string
  room: string
  meals: RoadbookMeal[]
  bike: string
  luggage: string
  note: string
  media_id: number | null
}
export interface RoadbookVoucher { provider: string; place: string; phone: string; date: string | null; service: string; people: string; settlement: string }
export interface RoadbookSettings {
  format: 'a5' | 'a4'
  booklet: boolean
  bleed: boolean
  language: string | null
  anonymous: boolean
  starts_on: string | null
  clients: string[]
  welcome: Text
  signature: string
  contacts: RoadbookContact[]
  pages: RoadbookPage[]
  stays: RoadbookStay[]
  vouchers: RoadbookVoucher[]
}
export interface Roadbook {
  id: number
  version: number
  settings: RoadbookSettings
  editable: boolean
  locked_reason: 'not_yours' | 'role' | null
  updated_at: string | null
  updated_by: Named | null
}

/** What the roadbook of one client has of its own; what is empty comes from the roadbook of the parcours, but for names and dates. */
export interface ClientFileContent {
  reference: string
  clients: string[]
  people: string
  starts_on: string | null
  language: string | null
  welcome: Text
  signature: string
  contacts: RoadbookContact[]
  stays: RoadbookStay[]
  vouchers: RoadbookVoucher[]
}
/** One of the clients of a trip. */
export interface ClientFile {
  id: number
  parcours_id: number
  version: number
  file: ClientFileContent
  editable: boolean
  locked_reason: 'not_yours' | 'role' | null
  updated_at: string
  updated_by: Named | null
}
export interface ClientFileRow { id: number; version: number; reference: string; clients: string[]; starts_on: string | null; updated_at: string; updated_by: Named | null }

/** Something that is heard: a recording, or a text that is read aloud. */
export interface AudioStory { text: string; transcript: string; media_id: number | null }
export interface AudioStop {
  /** 0 for a new one. */
  id: number
  title: string
  position: LngLat
  radius_m: number
  /** Of a zone that is no circle. */
  corners: LngLat[]
  once: boolean
  delay_s: number
  story: AudioStory
  transition_media_id: number | null
}
export const audioEngines = ['espeak', 'openai', 'azure'] as const
export type AudioEngine = (typeof audioEngines)[number]
export interface LexiconEntry { word: string; say: string }
export interface AudioWalk {
  enabled: boolean
  going: 'walking' | 'cycling'
  playback: 'sequential' | 'free'
  engine: AudioEngine
  voice: string
  words_a_minute: number
  lexicon: LexiconEntry[]
  transition_media_id: number | null
  intro: AudioStory
  outro: AudioStory
  stops: AudioStop[]
}
export interface StorySound {
  /** `intro`, `stop/3`, `outro`. */
  story: string
  source: 'recording' | 'voice' | 'unsaid' | 'nothing'
  url: string | null
  duration_s: number | null
  bytes: number | null
  transition_url: string | null
}
export interface AudioFinding { kind: 'off_trace' | 'order' | 'overlap' | 'too_long' | 'silent' | 'not_spoken' | 'no_transcript' | 'heavy' | 'small_radius'; story: string; value: number | null; limit: number | null }
export interface StopOnTrace { id: number; pass: { enters_m: number; leaves_m: number } | null; times: number; leg_m: number | null }
export interface AudioJob { state: 'running' | 'done' | 'failed' | 'cancelled'; done: number; total: number; failure: { code: string; params?: Record<string, string> } | null; cancelling: boolean; finished_at: string | null }
export interface AudioWalkView {
  id: number
  language: string
  version: number
  walk: AudioWalk
  sounds: StorySound[]
  findings: AudioFinding[]
  on_trace: StopOnTrace[]
  trace_m: number | null
  speed_mps: number
  intro_of_sheet: boolean
  languages: { language: string; enabled: boolean; stops: number | null }[]
  job: AudioJob | null
  editable: boolean
  locked_reason: 'not_yours' | 'role' | null
  updated_at: string | null
  updated_by: Named | null
}
export interface VoiceEngine { engine: AudioEngine; is_there: boolean; voices: string[] }

/** What somebody has against a review. */
export const objections = ['off_topic', 'insulting', 'personal_data', 'advertising', 'untrue', 'illegal', 'other'] as const
export type Objection = (typeof objections)[number]
export type ReviewState = 'waiting' | 'published' | 'refused'
export type ReportState = 'new' | 'seen' | 'solved'
export type ReportKind = 'fallen_tree' | 'marking' | 'path' | 'equipment' | 'danger' | 'closed' | 'animals' | 'rubbish' | 'information' | 'other'
/** Something that was done with a review or a report; by nobody where a visitor did it. */
export interface Happened { what: string; kind: string; words: string; by: Named | null; at: string }
export interface Review {
  id: number
  state: ReviewState
  rating: number
  title: string
  text: string
  author: string
  email: string | null
  language: string
  walked_on: string | null
  sent_at: string
  objection: Objection | null
  objection_words: string
  answer: string
  answered_at: string | null
  complaints: number
  history: Happened[]
}
export type ReviewDecision = { action: 'publish' } | { action: 'refuse'; reason: Objection; words: string } | { action: 'answer'; text: string } | { action: 'dismiss' }
export interface FieldReport {
  id: number
  state: ReportState
  kind: ReportKind
  position: LngLat | null
  at_m: number | null
  text: string
  email: string | null
  language: string
  photo_url: string | null
  shown: boolean
  warning: Text
  sent_at: string
  /** The closure that answers it, while there is one. */
  closure: { id: number; title: Text } | null
  history: Happened[]
}
export type ReportDecision = { action: 'see'; shown: boolean; warning: Text } | { action: 'solve' }

/* Records of tourist information systems. */
export type SitKind = 'datatourisme' | 'apidae' | 'tourinsoft' | 'cirkwi' | 'lei' | 'geotrek'
export type SitStatus = 'active' | 'gone' | 'hidden'
export type SitColumn =
  | 'name' | 'short' | 'long' | 'opening' | 'tariff' | 'latitude' | 'longitude' | 'address' | 'contacts' | 'phone' | 'email' | 'website'
  | 'booking' | 'category' | 'labels' | 'pictures'
export interface SitOptions {
  name: string
  kind: SitKind
  url: string | null
  project: string | null
  selections: string | null
  criteria: string | null
  licence: string | null
  schedule: ImportOptions['schedule']
  notify_email: string | null
}
export interface SitSource extends SitOptions {
  id: number
  version: number
  editable: boolean
  credential_set: boolean
  values: ImportValueRule[]
  columns: { to: SitColumn; from: string[] }[]
  file: { name: string; bytes: number; sha256: string } | null
}
export interface SitMapping {
  words: Omit<ImportWord, 'list'>[]
  waiting: number
  columns: { name: string; sample: string }[]
  fields: { to: SitColumn; from: string[] }[]
}
export interface SitRecordRow {
  id: number
  version: number
  item: string
  status: SitStatus
  title: Text
  position: [number, number]
  city: string | null
  languages: string[]
  category_ids: number[]
  labels: Text[]
  source: { id: number; name: string; licence: string | null }
  poi_id: number | null
  overridden: number
  updated_at: string
}
export interface SitWord { key: string; label: Text }
export interface SitSaid {
  id: string
  name: Text
  short: Text
  long: Text
  opening: Text
  tariff: Text
  position: [number, number] | null
  address: { street: string | null; postcode: string | null; city: string | null; insee: string | null }
  phones: string[]
  emails: string[]
  websites: string[]
  booking_url: string | null
  pictures: { url: string; legend: Text; credit: string | null; licence: string | null }[]
  words: SitWord[]
  labels: SitWord[]
  updated: string | null
  author: string | null
  by_machine: string[]
}
export interface SitRecord extends SitRecordRow {
  updated_by: Named | null
  editable: boolean
  record: SitSaid
  overrides: Record<string, unknown>
  said: Record<string, unknown>
  poi: { id: number; title: Text; published: boolean; edited: string[] } | null
  record_url: string | null
}
export type TextKind = 'parcours' | 'poi' | 'media' | 'itinerary' | 'closure' | 'vocabulary' | 'provider_link'
export type TextState = 'missing' | 'human' | 'machine' | 'stale' | 'assistant'
export interface TextStates { items: { field: string; language: string; state: TextState; source: string | null }[]; translates: boolean }
export interface ProposedText { field: string; words: string; detected: string | null; unexpected: boolean; lost: boolean; too_large: boolean }
export interface Translations { service: string; detected: string | null; unexpected: boolean; fields: ProposedText[]; sent: number; known: number }
export interface Translator {
  id: number
  version: number
  name: string
  service: 'deepl' | 'libretranslate' | 'google' | 'azure'
  base_url: string | null
  region: string | null
  formality: 'usual' | 'more' | 'less'
  english: 'american' | 'british'
  protected: string[]
  is_default: boolean
  key_hint: string | null
  check: { at: string; code: string | null } | null
  usage: { used: number | null; limit: number | null; sent: number }
  editable: boolean
  updated_at: string
  updated_by: Named | null
}
/** Whose link to choose a password it is. */
export interface PasswordReset { first_name: string; email: string; structure: string; /** They never had a password. */ invitation: boolean }
/** What translating many sheets would cost. */
export interface TranslationEstimate { sheets: number; texts: number; sent: number; known: number; characters: number }
export interface TranslationJob {
  id: number
  kind: string
  source: string
  target: string
  everything: boolean
  state: 'running' | 'paused' | 'done' | 'cancelled'
  done: number
  total: number
  counts: { translated: number; unchanged: number; kept: number; failed: number; sent: number; known: number; characters: number }
  failure: ImportNote | null
  waits_until: string | null
  cancelling: boolean
  started_at: string
  finished_at: string | null
}
export interface TranslationJobLine { record_id: number; outcome: 'translated' | 'kept' | 'failed'; title: string; fields: string[]; notes: ImportNote[] }

export type AssistantTask = 'description' | 'summary' | 'subtitle' | 'seo_title' | 'seo_description' | 'falc' | 'audio_script' | 'step_instructions' | 'image_alt' | 'rewrite' | 'shorten' | 'expand' | 'change_tone' | 'fix_spelling' | 'translate'
export type AssistantTone = 'usual' | 'family' | 'sporty' | 'sober'
export interface Assistant { model: string | null; templates: AssistantTask[]; template_languages: string[]; tokens_left: number | null }
export interface AssistantSettings { enabled: boolean; base_url: string | null; model: string | null; key_hint: string | null; monthly_tokens: number | null; used_tokens: number }
