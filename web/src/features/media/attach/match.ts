import type { LngLat, Text } from '@/api/types'
import { distanceM } from '@/records/map/geo'
import { measure, nearest } from '@/records/map/line'
import type { CsvRow } from '@/records/table/csv'

export type Kind = 'poi' | 'parcours'

/** What is known of a media file for the comparison. */
export interface Photo {
  id: number
  fileName: string
  /** Where it was taken: accepted, or read in the file. */
  place: LngLat | null
}

/** A record that photos may be attached to. */
export interface Candidate {
  id: number
  title: Text
}
/** With its place: a point, or the line of a parcours. */
export interface PlacedCandidate extends Candidate {
  line: readonly LngLat[]
}

export type Reason =
  | { how: 'number' }
  | { how: 'title' }
  | { how: 'place'; distanceM: number }
  | { how: 'line'; line: number }
  | { how: 'hand' }

export interface Proposal extends Candidate {
  reason: Reason
}

/** What was found for a photo; a photo that several lines of a table name has one of these for each line. */
export interface Match {
  key: string
  photoId: number
  /** The most probable first. */
  proposals: readonly Proposal[]
  /** Why there is no proposal, where the reason is the photo itself. */
  lack?: 'place' | 'line' | 'compared'
}

/** Two distances that differ by less than the error of a phone's position, in metres, do not decide between two records. */
const TIE_M = 15

/**
 * A name for comparison: without accents, case and punctuation. Spaces between letters do not count (`LacDesVaches`), numbers stay apart
 * from letters and from each other (`borne 1 2` is not `borne 12`).
 */
export function nameKey(text: string): string {
  return text
    .replace(/œ/gi, 'oe')
    .replace(/æ/gi, 'ae')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')
    .replace(/(?<=\p{L}) +(?=\p{L})/gu, '')
    .trim()
}

/** The name of a file without its folders and its extension. */
const bareName = (fileName: string): string => baseName(fileName).replace(/\.[a-z0-9]{2,5}$/i, '')
const baseName = (fileName: string): string => fileName.replace(/^.*[/\\]/, '')

/** The name, then the name without its last number, and so on: `borne 12 3`, `borne 12`, `borne`. */
function shorterKeys(key: string): string[] {
  const keys = [key]
  for (let last = key; / \d+$/.test(last);) {
    last = last.replace(/ \d+$/, '')
    keys.push(last)
  }
  return keys
}

const words: Record<Kind, string> = { poi: 'poi', parcours: 'parcours' }

/** The number of a record in the name of a file: `POI-12_1.jpg`, `fiche 12.jpg`, `12.jpg`. A camera's number begins with zeros or other letters. */
export function numberInName(fileName: string, kind: Kind): number | null {
  const key = nameKey(bareName(fileName))
  const named = new RegExp(`^(?:${words[kind]}|fiche|record|no|n) 0*([1-9]\\d{0,8})(?: |$)`).exec(key)
  const bare = /^([1-9]\d{0,8})(?: \d+)*$/.exec(key)
  const found = named?.[1] ?? bare?.[1]
  return found === undefined ? null : Number(found)
}

/** Records by their number and by their titles in every language. */
export interface Index {
  byId: ReadonlyMap<number, Candidate>
  byTitle: ReadonlyMap<string, readonly Candidate[]>
}

export function indexOf(candidates: readonly Candidate[]): Index {
  const byTitle = new Map<string, Candidate[]>()
  for (const candidate of candidates)
    for (const key of new Set(Object.values(candidate.title).map((title) => nameKey(title ?? '')))) {
      if (key !== '') byTitle.set(key, [...(byTitle.get(key) ?? []), candidate])
    }
  return { byId: new Map(candidates.map((one) => [one.id, one])), byTitle }
}

const reasoned = (candidates: readonly Candidate[], reason: Reason): Proposal[] =>
  candidates.map(({ id, title }) => ({ id, title, reason }))

const distinct = (proposals: readonly Proposal[]): Proposal[] =>
  proposals.filter(({ id }, at) => proposals.findIndex((other) => other.id === id) === at)

/** The records whose number or title is the name of the file. */
export function byName(photos: readonly Photo[], kind: Kind, { byId, byTitle }: Index): Match[] {
  return photos.map(({ id, fileName }) => {
    const number = numberInName(fileName, kind)
    const numbered = number === null ? undefined : byId.get(number)
    const titled = shorterKeys(nameKey(bareName(fileName))).find((key) => byTitle.has(key))
    const proposals = distinct([
      ...reasoned(numbered === undefined ? [] : [numbered], { how: 'number' }),
      ...reasoned(titled === undefined ? [] : (byTitle.get(titled) ?? []), { how: 'title' }),
    ])
    return { key: String(id), photoId: id, proposals }
  })
}

/** The nearest record to where each photo was taken, within `withinM`; several where their distances are nearly the same. */
export function byPlace(
  photos: readonly Photo[],
  candidates: readonly PlacedCandidate[],
  withinM: number,
  isCompared: (photoId: number) => boolean,
): Match[] {
  return photos.map(({ id, place }) => {
    const found = { key: String(id), photoId: id }
    if (place === null) return { ...found, proposals: [], lack: 'place' }
    if (!isCompared(id)) return { ...found, proposals: [], lack: 'compared' }
    const near = candidates
      .flatMap(({ line, ...candidate }) => {
        const offM = offsetM(line, place)
        return offM > withinM ? [] : [{ candidate, offM }]
      })
      .toSorted((a, b) => a.offM - b.offM)
    const leastM = near[0]?.offM ?? 0
    const proposals = near
      .filter(({ offM }) => offM - leastM < TIE_M)
      .map(({ candidate: { id: record, title }, offM }): Proposal => ({ id: record, title, reason: { how: 'place', distanceM: offM } }))
    return { ...found, proposals }
  })
}

function offsetM(line: readonly LngLat[], place: LngLat): number {
  const [first] = line
  if (first === undefined) return Infinity
  return line.length === 1 ? distanceM(first, place) : (nearest(measure(line), place)?.offsetM ?? Infinity)
}

/** The columns of a table. */
export interface Columns {
  /** The names of the columns; none where the first line is already a photo. */
  header: readonly string[] | null
  file: number
  record: number
}

const fileWords = /^(nomdufichier|nomfichier|nomdefichier|filename|fichier|file|photo|image|media|picture)s?\b/
const recordWords = /^(fiche|record|poi|parcours|titre|title|numero|number|nom|name|id|point|pointdinteret|pointofinterest)s?\b/

/** The columns by their names, else the first two. */
export function columnsOf(rows: readonly CsvRow[]): Columns {
  const first = rows[0]?.cells ?? []
  if (first.some((cell) => /\.[a-z0-9]{2,5}$/i.test(cell)))
    return {
      header: null,
      ...twoOf(
        first.findIndex((cell) => /\.[a-z0-9]{2,5}$/i.test(cell)),
        -1,
      ),
    }
  const keys = first.map(nameKey)
  const file = keys.findIndex((key) => fileWords.test(key))
  return {
    header: first,
    ...twoOf(
      file,
      keys.findIndex((key, at) => at !== file && recordWords.test(key)),
    ),
  }
}

function twoOf(file: number, record: number): { file: number; record: number } {
  const at = file === -1 ? (record === 0 ? 1 : 0) : file
  return { file: at, record: record === -1 ? (at === 0 ? 1 : 0) : record }
}

/** What a table says of the photos. */
export interface TableMatches {
  matches: Match[]
  /** Lines whose file is not among the photos. */
  unknown: { line: number; file: string }[]
}

/** The record that each line of a table names for a photo: by its number, else by its title. */
export function byTable(photos: readonly Photo[], rows: readonly CsvRow[], { header, file, record }: Columns, index: Index): TableMatches {
  const named = new Map<string, Photo[]>()
  for (const photo of photos)
    for (const key of new Set([fileKey(photo.fileName), bareKey(photo.fileName)])) named.set(key, [...(named.get(key) ?? []), photo])
  const found = new Map<number, Match[]>()
  const unknown: TableMatches['unknown'] = []
  for (const { line, cells } of header === null ? rows : rows.slice(1)) {
    const name = cells[file] ?? ''
    if (name === '') continue
    // A name with its extension names that file alone.
    const shown = named.get(fileKey(name)) ?? (/\.[a-z0-9]{2,5}$/i.test(name) ? undefined : named.get(bareKey(name)))
    if (shown === undefined) unknown.push({ line, file: name })
    for (const { id } of shown ?? []) {
      const proposals = reasoned(recordsOf(cells[record] ?? '', index), { how: 'line', line })
      const before = found.get(id) ?? []
      // Two lines that name the same record for the same photo are one.
      const isKnown =
        proposals.length === 1 && before.some((match) => match.proposals.length === 1 && match.proposals[0]?.id === proposals[0]?.id)
      if (!isKnown) found.set(id, [...before, { key: `${id} ${line}`, photoId: id, proposals }])
    }
  }
  const matches = photos.flatMap(({ id }) => found.get(id) ?? [{ key: String(id), photoId: id, proposals: [], lack: 'line' as const }])
  return { matches, unknown }
}

const fileKey = (name: string) => baseName(name).normalize('NFC').toLowerCase()
const bareKey = (name: string) => bareName(name).normalize('NFC').toLowerCase()

function recordsOf(cell: string, { byId, byTitle }: Index): readonly Candidate[] {
  const number = /^(?:(?:poi|parcours|n°|#)[\s-]*)?0*([1-9]\d{0,8})$/i.exec(cell)?.[1]
  const numbered = number === undefined ? undefined : byId.get(Number(number))
  return numbered === undefined ? (byTitle.get(nameKey(cell)) ?? []) : [numbered]
}

const natural = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' })
/** Photos in the order of their names, numbers as numbers: this is the order in which they are added to a record. */
export const inNameOrder = <P extends { file_name: string; id: number }>(photos: readonly P[]): P[] =>
  photos.toSorted((a, b) => natural.compare(orderKey(a), orderKey(b)) || a.id - b.id)
// Of `lac.jpg` and `lac-2.jpg` the first one has no number.
const orderKey = ({ file_name: name }: { file_name: string }): string => nameKey(bareName(name))
