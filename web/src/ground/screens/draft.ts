import type { Closure, FieldReport, GroundEntry, GroundKind, LngLat } from '@/api/types'
import { currentLocale, translate } from '@/i18n'
import { textOf } from '@/ui/format'
import type { Fix } from '../position/follow'
import { instantOf, newEntry, type Entry } from '../queue/entry'
import type { Download } from '../downloads/types'

export type ReportKind = FieldReport['kind']
export const reportKinds = [
  'fallen_tree',
  'marking',
  'path',
  'equipment',
  'danger',
  'closed',
  'animals',
  'rubbish',
  'information',
  'other',
] as const satisfies readonly ReportKind[]

type ClosureKind = Closure['kind']
export const closureKinds = ['works', 'weather', 'hunting', 'forestry', 'protection', 'event', 'other'] as const satisfies readonly ClosureKind[]

type Condition = NonNullable<GroundEntry['condition']>
export const conditions = ['good', 'worn', 'missing'] as const satisfies readonly Condition[]

/** Whether an entry of this kind is about a stretch of the parcours. */
export const hasStretch = (kind: GroundKind): boolean => kind === 'survey' || kind === 'closure'

/** The initial length of a closure before and behind the user, metres. */
const CLOSED_M = 50

/** A photo that is shown in a form; its bytes are already reduced. */
export interface DraftPhoto {
  key: string
  blob: Blob
}

/** A step or a point of interest that is corrected, as the device knows it. */
export interface Target {
  kind: 'step' | 'poi'
  id: number
  title: string
  text: string
  position: LngLat
}

/** What a form holds, before the person confirms it. */
export interface Draft {
  /** Made when the form opens: a form that is confirmed twice is one entry. */
  id: string
  kind: GroundKind
  madeAt: string
  parcoursId: number | null
  parcoursName: string | null
  position: LngLat | null
  accuracyM: number | null
  title: string
  categoryId: number | null
  reportKind: ReportKind | null
  closureKind: ClosureKind | null
  /** The last day of a closure; empty while it is not known. */
  until: string
  condition: Condition | null
  text: string
  /** The words that stand before a remark: its step. */
  stepId: number | null
  stretch: { fromM: number; toM: number } | null
  /** The way that was walked. */
  track: LngLat[] | null
  /** What is corrected. */
  target: Target | null
  photos: DraftPhoto[]
  /** The entry that is changed; null for a new one. */
  before: Entry | null
}

/** A position older than this is not where the person is, milliseconds. */
const FRESH_MS = 120_000

/** A new form. The place is that of the device, else the centre of the map. */
export function newDraft(kind: GroundKind, download: Download, fix: Fix | null, centre: LngLat | null, photos: DraftPhoto[] = []): Draft {
  const isFresh = fix !== null && Date.now() - fix.at < FRESH_MS
  return {
    id: crypto.randomUUID(),
    kind,
    madeAt: instantOf(new Date()),
    // What is in an area is the active white-label's, of no parcours.
    parcoursId: download.area === undefined ? download.id : null,
    parcoursName: textOf(download.parts.title),
    position: isFresh ? fix.position : centre,
    accuracyM: isFresh ? Math.round(fix.accuracyM * 10) / 10 : null,
    title: kind === 'equipment' ? translate('ground:form.marking') : '',
    categoryId: null,
    reportKind: null,
    closureKind: null,
    until: '',
    condition: null,
    text: '',
    stepId: null,
    stretch: null,
    track: null,
    target: null,
    photos,
    before: null,
  }
}

/** A correction begins with what is there; nothing is moved before the person says so. */
export const correctionOf = (target: Target, download: Download): Draft => ({
  ...newDraft('correction', download, null, null),
  target,
  title: target.title,
  text: target.text,
})

/** The stretch that is closed at first: around the person, where they are on the line. */
export const stretchAround = (atM: number, lengthM: number): Draft['stretch'] => ({
  fromM: Math.max(0, Math.round(atM - CLOSED_M)),
  toM: Math.min(Math.round(lengthM), Math.round(atM + CLOSED_M)),
})

/** The form of an entry that waits or that was refused. */
export function draftOf(entry: Entry, photos: DraftPhoto[]): Draft {
  const { content } = entry
  return {
    id: entry.id,
    kind: content.kind,
    madeAt: content.made_at,
    parcoursId: content.parcours_id,
    parcoursName: entry.parcoursName,
    position: content.position,
    accuracyM: content.accuracy_m,
    title: content.title === '' && content.before != null ? content.before.title : content.title,
    categoryId: content.category_id,
    reportKind: reportKinds.find((kind) => kind === content.report_kind) ?? null,
    closureKind: closureKinds.find((kind) => kind === content.closure_kind) ?? null,
    until: content.until ?? '',
    condition: conditions.find((condition) => condition === content.condition) ?? null,
    text: content.text === '' && content.before != null ? content.before.text : content.text,
    stepId: null,
    stretch: content.from_m === null || content.to_m === null ? null : { fromM: content.from_m, toM: content.to_m },
    track: content.kind === 'track' ? content.track : null,
    target: targetOf(content),
    photos,
    before: entry,
  }
}

function targetOf({ step_id, poi_id, before }: Entry['content']): Target | null {
  const id = step_id ?? poi_id
  if (id == null || before?.position == null) return null
  const { title, text, position } = before
  return { kind: step_id == null ? 'poi' : 'step', id, title, text, position }
}

export type DraftField = 'title' | 'position' | 'reportKind' | 'closureKind' | 'condition' | 'text' | 'photos'

const isOfPlace = (kind: GroundKind): boolean => kind === 'poi' || kind === 'equipment'

/** Whether an entry must be in words: a remark without photo or voice note, and a report of another kind than those that are listed. */
export const needsText = ({ kind, reportKind, photos }: Draft): boolean =>
  (kind === 'remark' && photos.length === 0) || (kind === 'report' && reportKind === 'other')

/** What is missing, in the order of the form. */
export function missingIn(draft: Draft): DraftField[] {
  const { kind, title, position, reportKind, closureKind, condition, text, photos } = draft
  const needs: [DraftField, boolean][] = [
    ['photos', kind === 'photo' && photos.length === 0],
    ['title', isOfPlace(kind) && title.trim() === ''],
    ['reportKind', kind === 'report' && reportKind === null],
    ['closureKind', kind === 'closure' && closureKind === null],
    ['condition', kind === 'equipment' && condition === null],
    ['text', needsText(draft) && text.trim() === ''],
    ['position', isOfPlace(kind) && position === null],
    ['text', kind === 'correction' && correctedText(draft) === '' && correctedTitle(draft) === '' && position === null],
  ]
  return needs.flatMap(([field, isMissing]) => (isMissing ? [field] : []))
}

/** The name and the text of a correction, each empty where it stays as it is. */
const correctedTitle = ({ title, target }: Draft): string => (title.trim() === target?.title ? '' : title.trim())
const correctedText = ({ text, target }: Draft): string => (text.trim() === target?.text ? '' : text.trim())

/** The entry that a form makes. Photos that are there already keep what is known of their upload. */
export function entryOf(draft: Draft, stepTitle: string | null): Entry {
  const entry = newEntry(
    draft.id,
    {
      kind: draft.kind,
      parcours_id: draft.parcoursId,
      made_at: draft.madeAt,
      position: draft.position,
      accuracy_m: draft.accuracyM,
      language: currentLocale(),
      title: isOfPlace(draft.kind) ? draft.title.trim() : draft.target === null ? '' : correctedTitle(draft),
      category_id: draft.kind === 'poi' ? draft.categoryId : null,
      report_kind: draft.kind === 'report' ? draft.reportKind : null,
      closure_kind: draft.kind === 'closure' ? draft.closureKind : null,
      until: draft.kind === 'closure' && draft.until !== '' ? draft.until : null,
      condition: draft.kind === 'equipment' ? draft.condition : null,
      step_id: draft.target?.kind === 'step' ? draft.target.id : null,
      poi_id: draft.target?.kind === 'poi' ? draft.target.id : null,
      before: draft.target === null ? null : { title: draft.target.title, text: draft.target.text, position: draft.target.position },
      text: draft.target === null ? textIn(draft, stepTitle) : correctedText(draft),
      from_m: hasStretch(draft.kind) ? (draft.stretch?.fromM ?? null) : null,
      to_m: hasStretch(draft.kind) ? (draft.stretch?.toM ?? null) : null,
      track: draft.track ?? [],
    },
    draft.parcoursName,
  )
  const known = new Map(draft.before?.photos.map((photo) => [photo.key, photo]))
  entry.photos = draft.photos.map(({ key, blob }) => known.get(key) ?? { key, bytes: blob.size, uploadUrl: null, mediaId: null })
  return entry
}

/** A remark begins with its step; a report with neither words nor place nor photo says its kind. */
function textIn({ kind, text, reportKind, position, photos }: Draft, stepTitle: string | null): string {
  const words = text.trim()
  if (words === '' && reportKind !== null && position === null && photos.length === 0) return translate(`reviews:reports.kind.${reportKind}`)
  return kind === 'remark' && stepTitle !== null ? translate('ground:form.aboutStep', { step: stepTitle, words }) : words
}
