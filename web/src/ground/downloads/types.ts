import type { Box } from '@/offline/tiles'
import type { ClosureOnParcours, FieldReport, LngLat, Media, Position, Step, Text, VocabularyItem } from '@/api/types'
import type { Assigned } from './assigned'

/** A point of interest along the line. */
export interface DownloadPoi {
  id: number
  title: Text
  /** Plain text, without HTML. */
  description?: Text
  location: LngLat
  /** Whether it belongs to the person's white-label; places of other white-labels cannot be corrected. */
  mine?: boolean
}

/** The data of a parcours that are stored on the device. */
export interface DownloadParts {
  title: Text
  distance_m: number | null
  line: Position[]
  steps: Step[]
  pois: DownloadPoi[]
  /** How many places there are, when not all are stored; `isMore`: `total` is a lower bound. */
  poisInAll?: { total: number; isMore: boolean }
  /** Open field reports, without the address of the person who sent them. */
  reports: Pick<FieldReport, 'id' | 'kind' | 'state' | 'text' | 'position' | 'at_m' | 'sent_at'>[]
  /** How many open reports there are, when not all are stored. */
  reportsInAll?: number
  closures: ClosureOnParcours[]
  /** Categories of points of interest. */
  categories: VocabularyItem[]
  pictures: Pick<Media, 'id' | 'thumb_url' | 'alt' | 'legend' | 'file_name'>[]
  /** The stretches to survey; absent when an earlier version of the page stored the parcours. */
  assigned?: Assigned[]
}

/** One parcours, or one area, that is stored on the device for use without network. */
export interface Download {
  id: number
  /** The box of an area, whose id is negative; absent for a parcours. */
  area?: Box
  /** When its data were last read from the server. */
  at: string
  /** Bytes of the map and the pictures, with those of the data. */
  bytes: number
  /** Whether all of it is stored: an interruption leaves it incomplete, and the download is resumed later. */
  complete: boolean
  /** The ETag of the sheet and the revision of the trace: unchanged data are not fetched again. */
  etag: string | null
  traceRevision: number | null
  parts: DownloadParts
}
