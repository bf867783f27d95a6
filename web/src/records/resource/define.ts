import type { ComponentType, ReactNode } from 'react'
import { payload } from '@/api/payload'
import { resourceApi, type CatalogueRecord, type RecordsPathOf, type ResourceApi } from '@/api/resource'
import type { Capability, VocabularyKind } from '@/api/types'
import { textFor, translate } from '@/i18n'
import type { Area, Resources } from '@/i18n/resources'
import type { Choice } from '@/ui/field/inputs'
import type { Values } from '@/records/form/paths'
import type { BulkAction } from '@/records/list/BulkActions'
import type { FilterDef } from '@/records/list/filters'
import type { HighlightStore } from '@/records/list/highlight'
import type { ListConfig } from '@/records/list/list-state'
import type { Column } from '@/records/list/ResourceList'
import type { SelectionStore } from '@/records/list/selection'

/** The kinds of records with texts under `resource:entity.<kind>`. */
export type EntityKind = keyof Resources['resource']['entity']

/** Gives a field its path and its label. */
export type FieldOf = (name: string) => { name: string; label: string }

/** One card of a form. */
export interface Section<R> {
  /** Also the key of its title: `<area>:section.<key>`. */
  key: string
  /** The fields it contains, for the marks in the list of sections and to scroll to a field at fault. */
  names: readonly string[]
  /** Shown only for a saved record: it needs the id. */
  onlySaved?: boolean
  /** Whether the card is shown for a saved record, for example only for pictures. */
  has?: (record: R) => boolean
  Fields: ComponentType<{ record: R | null; f: FieldOf }>
}

/** One resource, as its list uses it. */
export interface ListDef<R extends CatalogueRecord, Row extends { id: number; version: number } = R> {
  kind: EntityKind
  /** The first part of its query keys; the kind, except for lists under another resource. */
  queryKey: readonly string[]
  base: RecordsPathOf<CatalogueRecord> & RecordsPathOf<R>
  /** The path of the list in the application. */
  path: string
  placeOf: (id: number) => string
  /** The area of texts with the labels of fields and sections. */
  area: Area
  group: 'settings' | 'contents' | 'tools'
  /** The capability to change a record. */
  may: Capability
  /** The capability to create or delete a record, where it is another one. */
  mayMake?: Capability
  abilities: { history?: boolean; uses?: boolean; create?: boolean; remove?: boolean }
  titleOf: (record: R | Row) => string
  list: {
    config: ListConfig
    useColumns: () => readonly Column<Row>[]
    /** Columns that are not shown at first. */
    hidden?: readonly string[]
    useFilters?: () => readonly FilterDef[]
    useSorts?: () => readonly Choice[]
    useBulk?: () => readonly BulkAction[]
    /** Under the heading and beside the list. */
    Aside?: ComponentType<{
      query: Record<string, string | number | undefined>
      highlight: HighlightStore
      onFilter: (key: string, value: string | undefined) => void
    }>
    /** Instead of the table: cards of pictures. */
    Body?: ComponentType<{ rows: readonly Row[]; selection: SelectionStore }>
    /** More buttons beside « Nouveau ». */
    Actions?: ComponentType
    /** Who may export the list as a table and import one, where it has tables. */
    table?: Capability
  }
}

/** The parts of the sheet of a resource, and of its page of creation. */
export interface FormDef<R> {
  toValues: (record: R | null) => Values
  /** The values of a new record whose page was opened from elsewhere, by the query of the address. */
  prefill?: (search: Record<string, string>) => Promise<Values>
  /** The changed leaves in the shape in which they are sent. */
  toBody?: (patch: Values, record: R | null) => Values
  sections: readonly Section<R>[]
  /** Its texts are in one language: no choice of language in the head. */
  plain?: boolean
  /** Right of the form: a preview of the typed values. */
  Aside?: ComponentType<{ record: R | null }>
  /** Whether `Aside` is shown for a saved record; without this function, always. */
  hasAside?: (record: R) => boolean
  /** Above the cards. */
  Notices?: ComponentType<{ record: R }>
  /** More buttons in the head. */
  Actions?: ComponentType<{ record: R; cacheRecord: (record: R) => void }>
  Facts?: ComponentType<{ record: R }>
  Picture?: ComponentType<{ record: R }>
  /** A value in words; for `undefined`, the name of the record it refers to, else the plain value. */
  valueWords?: (path: string, value: unknown) => ReactNode
  /** What a field of ids points to where its name does not say it (`parent_id`), without `_id`. */
  pointsTo?: Record<string, VocabularyKind>
  /** Values that the history shows beside the form's: a code's name, or what no field of the form has. */
  historyValues?: (record: R) => Values
}

/** One resource: the parts of its list, its sheet and its page of creation. */
export interface ResourceDef<R extends CatalogueRecord, Row extends { id: number; version: number } = R> extends ListDef<R, Row> {
  form: FormDef<R>
}

/** A resource with a large form, which is fetched apart from its list. */
export interface ResourceInTwo<R extends CatalogueRecord, Row extends { id: number; version: number } = R> extends ListDef<R, Row> {
  readForm: () => Promise<FormDef<R>>
}

/** Whether this record may be changed. The server decides; where its answer has no `editable`, the capability is enough. */
export const isEditable = (record: CatalogueRecord): boolean => !('editable' in record) || record.editable !== false

/** Whether the server may show its history to this person: that of another white-label’s record stays with its owner. */
export const mayReadHistory = (record: CatalogueRecord): boolean => !('locked_reason' in record) || record.locked_reason !== 'not_yours'

/** The path of the page that creates a record. */
export const newOf = ({ path }: { path: string }): string => `${path}/new`

/** The words of a refused save of a record. */
export const saveErrorOf = ({ kind }: { kind: EntityKind }): string => translate(`resource:entity.${kind}.saveError`)

/** The client of a resource. */
export const apiOf = <R extends CatalogueRecord, Row extends { id: number; version: number }>(def: ListDef<R, Row>): ResourceApi<R, Row> =>
  resourceApi<R, Row>(def.base)

/** The label of a field by its path (`title.fr`): the area's own words, else the words all resources share. */
export function labelOf(area: Area, path: string): string {
  const wordsOf = (name: string) => textFor(`${area}:field.${name}`) ?? textFor(`resource:field.${name}`)
  const [name = path, part] = path.split('.')
  const words = wordsOf(name) ?? name
  if (part === undefined) return words
  return /^[a-z]{2}$/.test(part) ? `${words} (${part})` : (wordsOf(part) ?? words)
}

/** The label of the field that a column of a table is of (`phone`, `title_en`); none where the column has no field of its name. */
export function columnLabelOf(area: Area, column: string): string | undefined {
  const [, name, code] = /^(.+)_([a-z]{2})$/.exec(column) ?? []
  const translated = name !== undefined && code !== undefined && payload().content_languages.includes(code)
  const field = translated ? name : column
  return labelOf(area, field) === field ? undefined : labelOf(area, translated ? `${name}.${code}` : column)
}
