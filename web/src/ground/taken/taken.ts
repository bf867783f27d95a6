import type { Box } from '@/offline/tiles'
import type { ClosureOnParcours, FieldReport, LngLat, Media, Position, Step, Text, VocabularyItem } from '@/api/types'
import type { Assigned } from './assigned'

/** A point of interest along the line. */
export interface TakenPoi {
  id: number
  title: Text
  /** Without its marks. */
  description?: Text
  location: LngLat
  /** Whether it is the person's white-label's: that of others is not corrected. */
  mine?: boolean
}

/** What is known of a parcours without network. */
export interface TakenParts {
  title: Text
  distance_m: number | null
  line: Position[]
  steps: Step[]
  pois: TakenPoi[]
  /** How many places there are, where not all are taken; `isMore`: there are more than that. */
  poisInAll?: { total: number; isMore: boolean }
  /** Open field reports, without the address of the person who sent them. */
  reports: Pick<FieldReport, 'id' | 'kind' | 'state' | 'text' | 'position' | 'at_m' | 'sent_at'>[]
  /** How many open reports there are, where not all are taken. */
  reportsInAll?: number
  closures: ClosureOnParcours[]
  /** Categories of points of interest. */
  categories: VocabularyItem[]
  pictures: Pick<Media, 'id' | 'thumb_url' | 'alt' | 'legend' | 'file_name'>[]
  /** What one is to survey of it; absent where it was taken by an earlier version of the page. */
  assigned?: Assigned[]
}

/** One parcours, or one area, that a person took with them. */
export interface Taken {
  id: number
  /** The box of an area, whose number is below zero; absent for a parcours. */
  area?: Box
  /** When its data were last read from the server. */
  at: string
  /** Bytes of the map and the pictures, with those of the data. */
  bytes: number
  /** Whether all of it is there: a cut leaves it incomplete, and it is then taken up. */
  complete: boolean
  /** The tag of the sheet, and the number of the trace: what did not change is not fetched again. */
  etag: string | null
  traceRevision: number | null
  parts: TakenParts
}
