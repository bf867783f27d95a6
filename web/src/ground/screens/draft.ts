import type { FieldReport, GroundKind, LngLat } from '@/api/types'
import { currentLocale, translate } from '@/i18n'
import { textOf } from '@/ui/format'
import type { Fix } from '../position/follow'
import { instantOf, newEntry, type Entry } from '../queue/entry'
import type { Taken } from '../taken/taken'

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

/** A photo that is shown in a form; its bytes are already reduced. */
export interface DraftPhoto {
  key: string
  blob: Blob
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
  text: string
  /** The words that stand before a remark: its step. */
  stepId: number | null
  stretch: { fromM: number; toM: number } | null
  photos: DraftPhoto[]
  /** The entry that is changed; null for a new one. */
  before: Entry | null
}

/** A position older than this is not where the person is, milliseconds. */
const FRESH_MS = 120_000

/** A new form. The place is that of the device, else the centre of the map. */
export function newDraft(kind: GroundKind, taken: Taken, fix: Fix | null, centre: LngLat | null, photos: DraftPhoto[] = []): Draft {
  const isFresh = fix !== null && Date.now() - fix.at < FRESH_MS
  return {
    id: crypto.randomUUID(),
    kind,
    madeAt: instantOf(new Date()),
    parcoursId: taken.id,
    parcoursName: textOf(taken.parts.title),
    position: isFresh ? fix.position : centre,
    accuracyM: isFresh ? Math.round(fix.accuracyM * 10) / 10 : null,
    title: '',
    categoryId: null,
    reportKind: null,
    text: '',
    stepId: null,
    stretch: null,
    photos,
    before: null,
  }
}

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
    title: content.title,
    categoryId: content.category_id,
    reportKind: reportKinds.find((kind) => kind === content.report_kind) ?? null,
    text: content.text,
    stepId: null,
    stretch: content.from_m === null || content.to_m === null ? null : { fromM: content.from_m, toM: content.to_m },
    photos,
    before: entry,
  }
}

export type DraftField = 'title' | 'position' | 'reportKind' | 'text' | 'photos'

/** What is missing, in the order of the form. */
export function missingIn({ kind, title, position, reportKind, text, photos }: Draft): DraftField[] {
  const needs: [DraftField, boolean][] = [
    ['photos', kind === 'photo' && photos.length === 0],
    ['title', kind === 'poi' && title.trim() === ''],
    ['reportKind', kind === 'report' && reportKind === null],
    ['text', (kind === 'remark' || (kind === 'report' && reportKind === 'other')) && text.trim() === ''],
    ['position', kind === 'poi' && position === null],
  ]
  return needs.flatMap(([field, isMissing]) => (isMissing ? [field] : []))
}

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
      title: draft.kind === 'poi' ? draft.title.trim() : '',
      category_id: draft.kind === 'poi' ? draft.categoryId : null,
      report_kind: draft.kind === 'report' ? draft.reportKind : null,
      text: textIn(draft, stepTitle),
      from_m: draft.kind === 'survey' ? (draft.stretch?.fromM ?? null) : null,
      to_m: draft.kind === 'survey' ? (draft.stretch?.toM ?? null) : null,
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
