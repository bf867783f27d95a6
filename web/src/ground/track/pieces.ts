import type { LngLat } from '@/api/types'

/** The stretches between two points that a finished piece has. */
export const PIECE = 500

/** What the map has of a recorded way: how many finished pieces, and where the way begins. */
export interface Drawn {
  pieces: number
  start: LngLat | undefined
}

export const nothingDrawn: Drawn = { pieces: 0, start: undefined }

/**
 * What the map lacks of a way that only gets longer, so that the work for each point does not grow with the way: the pieces that were
 * finished since, set once, and the rest, set at each point. Pieces share a point, so that the line has no gap.
 */
export function piecesAfter(drawn: Drawn, points: readonly LngLat[]) {
  const [start] = points
  const count = Math.max(0, Math.floor((points.length - 1) / PIECE))
  // Another way began, or this one ended.
  const isOther = count < drawn.pieces || drawn.start?.[0] !== start?.[0] || drawn.start?.[1] !== start?.[1]
  const first = isOther ? 0 : drawn.pieces
  return {
    isOther,
    first,
    finished: Array.from({ length: count - first }, (_, index) => piece(points, first + index)),
    rest: points.slice(count * PIECE),
    drawn: { pieces: count, start },
  }
}

const piece = (points: readonly LngLat[], index: number): LngLat[] => points.slice(index * PIECE, (index + 1) * PIECE + 1)
