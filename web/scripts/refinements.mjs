/*
 * What `openapi.json` does not say yet and the web app must know. Nothing else about the API is written by hand: the rest of
 * `src/api/schema.d.ts` is generated from the document. Each entry is a change to make in the server. Once the document has it,
 * `npm run gen` refuses the entry, and it goes.
 */

/** Fields that the server leaves out when they are empty. Every other field of an answer is always present. */
export const leftOut = {
  BatchItem: ['params'],
  BulkItem: ['code'],
  BulkView: ['undo_token'],
  Departures: ['towards', 'until', 'weekdays', 'on'],
  EquipmentAttributes: ['for', 'required'],
  GuideEntry: ['excerpt'],
  ImportNote: ['params', 'field'],
  Instruction: ['exit', 'fr', 'en'],
  LevelAttributes: ['default_for', 'ibp_min', 'ibp_max', 'matches'],
  MarkingAttributes: ['colors', 'registered', 'numbered', 'road_sign', 'level_scale', 'matches'],
  PlainAttributes: ['internal', 'matches'],
  PlannedRoute: ['polyline6'],
  PoiCategoryAttributes: ['osm', 'matches'],
  PracticeTypeAttributes: ['profile', 'flat_kmh', 'ascent_mh', 'descent_mh', 'matches'],
  Problem: ['params', 'field', 'errors', 'current'],
  Rule: ['external'],
  SearchView: ['instead'],
  SourceFile: ['join', 'without_repairs'],
  Step: ['beside_m'],
  StructureTypeAttributes: ['agency', 'registration', 'internal'],
  AcceptedFiles: ['min_width', 'min_height', 'max_pixels', 'advice_bytes_per_s', 'advice_bytes_per_min'],
  TraceSummary: ['duration_recorded_s', 'network', 'notice'],
  VocabularyItem: ['uses_total'],
}
for (const list of [
  'BinItem',
  'ClientFileRow',
  'Closure',
  'Contact',
  'Itinerary',
  'Media',
  'Poi',
  'ProviderLink',
  'SitRecordRow',
  'Structure',
  'TransportLine',
  'User',
  'WhiteLabel',
])
  leftOut[`ListOf_${list}`] = ['counts']

/** Fields that an older version did not know: the server passes a parcours, and what the planner said of it, on as it was saved. */
export const unknownToOlder = {
  Reliability: ['kept_m', 'sparse_m'],
  ReliabilityGap: ['edit_url', 'remedies', 'shift'],
  Repaired: ['id', 'undoable'],
  Sheet: ['audio_guide', 'audio_main_media_id', 'audio_transition_media_id', 'contact_id', 'itinerary_ids'],
  Step: ['line_ids'],
  TraceGap: ['ignored'],
}

/** Fields with a few possible words or numbers. */
export const words = {
  'AnalysisView.warnings': ['loop_like', 'one_way_like'],
  'ChangedStretch.cause': ['no_way', 'forbidden', 'constant_shift', 'recording_hole', 'outside_extract', 'sparse', 'now_on_way'],
  'ChangedStretch.was': ['no_way', 'forbidden', 'constant_shift', 'recording_hole', 'outside_extract', 'sparse', 'kept_off_network'],
  DisplayPriority: [0, 1, 2],
  'ImportWordView.state': ['mapped', 'alike', 'left_out', 'waiting'],
  'ParcoursUseView.kind': ['child', 'model', 'parent', 'share', 'white_label'],
  // The staff never see a review that its author has not confirmed.
  'ReviewView.state': ['waiting', 'published', 'refused'],
  'RevisionView.reason': ['recalculation', 'import', 'restore', 'bulk'],
  'SitWordView.state': ['mapped', 'alike', 'left_out', 'waiting'],
  'TraceView.warnings': ['loop_like', 'one_way_like'],
  'TransportRunView.phase': ['fetch', 'read', 'follow'],
}

const text = { type: 'string' }
const ref = (name) => ({ $ref: `#/components/schemas/${name}` })
const listOf = (items) => ({ type: 'array', items })
const record = (properties) => ({ type: 'object', properties, required: Object.keys(properties) })

/** What lacks a part in the document. */
export const shapes = {
  // The steps of a sheet go with its patch.
  ParcoursPatch: { allOf: [ref('Sheet'), record({ steps: listOf(ref('StepInput')) })] },
}

/** Bodies of another schema than the document says. */
export const bodies = {
  'patch /api/v1/parcours/{id}': 'ParcoursPatch',
  'post /api/v1/parcours': 'ParcoursPatch',
}

/** Where the document has a bare object: its schema. */
export const objects = {
  'Duplication.title': { oneOf: [text, ref('Text')] },
}
