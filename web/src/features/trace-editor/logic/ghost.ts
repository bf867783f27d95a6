import type { Position } from '@/api/types'
import { distanceM } from '@/records/map/geo'
import { stretchAround } from './operations'
import { type Revision, isClosed, lengthM, placeAt } from './revision'
import { spanAt } from './stretch'

/** The preview of a drag: the ends of the stretch that would be drawn again. It needs no walk along the line. */
export interface Ghost {
  readonly from: Position | null
  readonly to: Position | null
  /** The stretch is off the network already: it stays so. */
  readonly free: boolean
}

export function ghostEnds(revision: Revision, atM: number, place: Position): Ghost {
  const total = lengthM(revision.legs)
  const here = placeAt(revision, atM)
  if (!here) return { from: null, to: null, free: false }
  const moved = distanceM(here, place)
  const free = spanAt(revision.legs, atM)?.leg.kind === 'free'
  const atEnd = atM < 0.5 || atM > total - 0.5
  if (atEnd && isClosed(revision)) {
    return {
      from: placeAt(revision, stretchAround(revision, total, moved).from_m),
      to: placeAt(revision, stretchAround(revision, 0, moved).to_m),
      free,
    }
  }
  const { from_m, to_m } = stretchAround(revision, atM, moved)
  return { from: from_m < atM - 0.5 ? placeAt(revision, from_m) : null, to: to_m > atM + 0.5 ? placeAt(revision, to_m) : null, free }
}
