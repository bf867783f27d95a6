import type { components as publicComponents } from './public'
import type { components } from './schema'

/*
 * The generated types of the API: `schema.d.ts` of the staff's document, `public.d.ts` of the public one. No type is written by hand here.
 * A name is that of the schema, without its ending `View`. Where another schema has that name already, the ending stays (`ClientFileView`).
 */

type Schemas = components['schemas']
type PublicSchemas = publicComponents['schemas']

export type Text = Schemas['Text']
export type Position = Schemas['Position']
export type LngLat = Schemas['Place']

export type Named = Schemas['Named']
export type Capability = Schemas['Capability']
export type MyWhiteLabel = Schemas['MyWhiteLabel']
export type Me = Schemas['Me']
export type MePatch = Schemas['MePatch']
export type OwnSession = Schemas['OwnSession']
export type PersonalToken = Schemas['PersonalToken']
export type Proposal = Schemas['Proposal']
export type PasswordReset = Schemas['PasswordResetView']
export type Payload = Schemas['Payload']
export type MediaLimits = Schemas['MediaPayload']

export type ProgressStatus = Schemas['Progress']
export type Relation = Schemas['Relation']
export type RibbonPart = Schemas['RibbonPart']
export type Inheritable = Schemas['Inheritable']

export type ParcoursRow = Schemas['ParcoursRow']
export type ParcoursMap = Schemas['MapView']
export type Parcours = Schemas['ParcoursView']
export type ParcoursPatch = Partial<Schemas['ParcoursPatch']>
export type AvailabilityPeriod = Schemas['Period']
export type ParcoursUse = Schemas['ParcoursUseView']
export type Revision = Schemas['RevisionDetail']
export type RevisionRow = Schemas['RevisionView']
export type ChildDecision = Schemas['ChildDecision']
export type ChildRequest = Schemas['ChildRequestView']
export type Channel = Schemas['Channel']
export type ChannelState = Schemas['ChannelState']
export type ChannelStamp = Schemas['Stamp']
export type Share = Schemas['ShareView']
export type Shares = Schemas['Shares']

export type StepKind = Schemas['StepKind']
export type Step = Schemas['Step']
export type StepInput = Schemas['StepInput']

export type TraceGap = Schemas['TraceGap']
export type TraceReliability = Schemas['TraceReliability']
export type TraceSummary = Schemas['TraceSummary']
export type Trace = Schemas['TraceView']
export type TraceInput = Schemas['TraceInput']
export type TraceInspection = Schemas['InspectionView']
/** An unsaved trace: its legs, and the values on which durations and remarks depend. */
export type AnalysisInput = Required<Schemas['AnalysisInput']>
export type TraceAnalysis = Schemas['AnalysisView']
export type Repair = Schemas['Repaired']
export type Leg = Schemas['Leg']
export type Instruction = Schemas['Instruction']
export type InstructionKind = Instruction['kind']
export type IgnoredGapInput = Schemas['IgnoredGapInput']
export type Route = Schemas['Route']
export type RouteInput = Schemas['RouteInput']

export type ClosureOnParcours = Schemas['ParcoursClosureView']
export type ClosureWithDetours = Schemas['ClosureWithDetours']
export type Detour = Schemas['DetourView']
export type Closure = Schemas['Closure']
export type ProviderLink = Schemas['ProviderLink']
export type SurveyCampaign = Schemas['SurveyCampaign']
export type CampaignStretch = Schemas['CampaignStretch']
export type SurveyedStretch = Schemas['SurveyedStretch']
export type Impact = Schemas['Impact']

export type BulkReport = Schemas['BulkView']

export type TableReport = Schemas['TableReport']
export type TableRow = Schemas['TableRow']
export type TableCell = Schemas['TableCell']
export type TableFault = Schemas['TableFault']

export type VocabularyKind = Schemas['VocabularyKind']
export type VocabularyItem = Schemas['VocabularyItem']
/** The attributes of any list, all optional: each list uses some of them. */
export type VocabularyAttributes = Partial<
  Schemas['MarkingAttributes'] &
    Schemas['EquipmentAttributes'] &
    Schemas['LevelAttributes'] &
    Schemas['PracticeTypeAttributes'] &
    Schemas['PoiCategoryAttributes'] &
    Schemas['StructureTypeAttributes'] &
    Schemas['PlainAttributes']
>

export type Owned = Schemas['Head'] & Schemas['Ownership']
export type PoiFlags = Schemas['PoiFlags']
export type Poi = Schemas['Poi']
export type PoiMap = Schemas['PoiMapView']
export type MediaKind = Schemas['MediaKind']
export type Media = Schemas['Media']
export type Address = Schemas['Address']
export type Structure = Schemas['Structure']
export type Contact = Schemas['Contact']
export type User = Schemas['User']
export type Itinerary = Schemas['Itinerary']
export type TransportLine = Schemas['TransportLine']
export type LineMode = Schemas['LineMode']
export type LineCondition = Schemas['LineCondition']
export type WhiteLabel = Schemas['WhiteLabel']
export type Bounds = Schemas['Bounds']
export type CustomType = Schemas['CustomType']
export type CustomField = Schemas['CustomField']
export type CustomFieldUse = Schemas['CustomFieldUse']
export type PlannerPreference = Schemas['PlannerPreference']

/** A page of records, and a past version of a record, whatever their kind. */
export type Page<R> = Omit<Schemas['ListOf_Poi'], 'items'> & { items: R[] }
export type ResourceRevision<R> = Omit<Schemas['Past_PoiSheet'], 'record'> & { record: R }
export type BulkRequest = Omit<Schemas['BulkOf_PoiQuery_PoiAction'], 'action' | 'filter'> & {
  action: string
  filter?: Record<string, string>
}
export type SearchAnswer = Schemas['SearchView']
export type WidgetFacts = Schemas['WidgetView']
export type Statistics = Schemas['Statistics']
export type BreakdownRow = Schemas['BreakdownRow']
export type StatisticsBy = Schemas['Breakdown']
export type StoreFigures = Schemas['StoreFigures']
export type Job = Schemas['Job']
export type Jobs = Schemas['Jobs']
export type PlatformStatus = Schemas['Status']
export type ServerStatus = Schemas['ServerStatus']
export type AuditEvent = Schemas['AuditEvent']
export type AuditEvents = Schemas['AuditEvents']
export type RecordUse = Schemas['UseView']
export type RecordUses = Schemas['UsesView']
export type SavedView = Schemas['SavedView']
export type BinItem = Schemas['BinItem']

export type CountedList = Schemas['CountedList']
export type Waiting = Schemas['Waiting']
export type LatestEdit = Schemas['LatestView']

export type WatchNetwork = Schemas['NetworkView']
export type WatchRun = Schemas['WatchRunView']
export type WatchState = Schemas['WatchView']
export type WatchStretch = Schemas['ChangedStretch']
export type WatchChange = Schemas['WatchChangeView']
export type TraceFault = Schemas['TraceFault']
export type FaultyTrace = Schemas['FaultyTraceView']

export type TransportFeed = Schemas['TransportFeed']
export type FeedCounts = Schemas['FeedCounts']
export type FeedEdition = Schemas['EditionView']
export type TransportRun = Schemas['TransportRunView']
export type Departures = Schemas['Departures']
export type FeedLine = Schemas['FeedLineView']
export type TransportStop = Schemas['TransportStop']
export type WayHome = Schemas['WayHome']

export type ImportTarget = Schemas['ImportTarget']
export type ImportValueRule = Schemas['ValueRule']
export type ImportOptions = Schemas['ImportSourceSheet']
export type ImportSource = Schemas['ImportSource']
export type ImportNote = Schemas['ImportNote']
export type ImportOutcome = Schemas['ImportOutcome']
export type ImportRun = Schemas['ImportRunView']
export type ImportLine = Schemas['ImportLineView']
export type ImportWord = Schemas['ImportWordView']
export type ImportInventoryItem = Schemas['ImportInventoryItem']
export type ImportMapping = Schemas['ImportMappingView']

export type SitColumn = Schemas['SitColumn']
export type SitOptions = Schemas['SitSourceSheet']
export type SitSource = Schemas['SitSource']
export type SitMapping = Schemas['SitMappingView']
export type SitRecordRow = Schemas['SitRecordRow']
export type SitRecordPage = Schemas['SitRecordPage']
export type SitRecord = Schemas['SitRecord']
export type SitWord = Schemas['SitWord']

export type RoadbookWarning = Schemas['RoadbookWarning']
export type RoadbookPreview = Schemas['PreviewView']
export type RoadbookBatch = Schemas['RoadbookBatch']
export type NewRoadbookBatch = Schemas['NewRoadbookBatch']
export type RoadbookPageKind = Schemas['PageKind']
export type RoadbookPage = Schemas['RoadbookPage']
export type RoadbookContact = Schemas['RoadbookContact']
export type RoadbookMeal = Schemas['RoadbookMeal']
export type RoadbookStay = Schemas['RoadbookStay']
export type RoadbookVoucher = Schemas['RoadbookVoucher']
export type RoadbookSettings = Schemas['RoadbookSettings']
export type Roadbook = Schemas['RoadbookView']
export type ClientFileView = Schemas['ClientFileView']
export type ClientFile = Schemas['ClientFile']
export type ClientFileRow = Schemas['ClientFileRow']
export type ClientFileFilter = Schemas['ClientFileFilter']

export type AudioStory = Schemas['AudioStory']
export type AudioStop = Schemas['AudioStop']
export type AudioEngine = Schemas['AudioEngine']
export type LexiconEntry = Schemas['LexiconEntry']
export type AudioWalk = Schemas['AudioWalk']
export type StorySound = Schemas['StorySound']
export type AudioFinding = Schemas['AudioFinding']
export type StopOnTrace = Schemas['StopOnTrace']
export type AudioWalkView = Schemas['AudioWalkView']

export type Objection = Schemas['Objection']
export type ReportState = Schemas['ReportState']
export type Happened = Schemas['HappenedView']
export type Review = Schemas['ReviewView']
export type ReviewDecision = Schemas['ReviewDecision']
export type FieldReport = Schemas['ReportView']
export type ReportDecision = Schemas['ReportDecision']

export type GroundKind = Schemas['GroundKind']
export type GroundEntry = Schemas['GroundEntry']
export type GroundEntries = Schemas['GroundEntries']
export type GroundEntryInput = Schemas['GroundEntryInput']

/** Why a request failed: a code of the server, `connection` without an answer, or the status of a proxy's answer. */
export type ProblemCode = Schemas['ProblemCode'] | 'connection' | `http/${number}`
export type RecordKind = Schemas['Kind']
export type TextState = Schemas['TextState']
export type ProposedText = Schemas['ProposedText']
export type Translations = Schemas['Translations']
export type Translator = Schemas['Translator']
export type TranslationJob = Schemas['TranslationJob']
export type TranslationJobLine = Schemas['TranslationJobLine']

export type AssistantTask = Schemas['AssistantTask']
export type AssistantTone = Schemas['Tone']
export type AssistantSettings = Schemas['AssistantSettings']

/** The types of the widget and the public pages. */
export type WidgetBrand = PublicSchemas['WidgetBrand']
export type ReportTaken = PublicSchemas['ReportTaken']

/** The values of an enumeration, in the order in which the screens show them. */
export const roadbookPageKinds = [
  'front_cover',
  'welcome',
  'description',
  'overview',
  'map',
  'profile',
  'steps',
  'stay',
  'photos',
  'notes',
  'voucher',
  'memo',
  'back_cover',
] as const satisfies readonly RoadbookPageKind[]
export const audioEngines = ['espeak', 'openai', 'azure'] as const satisfies readonly AudioEngine[]
export const objections = [
  'off_topic',
  'insulting',
  'personal_data',
  'advertising',
  'untrue',
  'illegal',
  'other',
] as const satisfies readonly Objection[]
