import type { Position } from '@/api/types'
import type { FirstLine } from './FirstDrawing'
import type { LineKind } from './strokes'

/** What is drawn of one parcours. */
export interface ParcoursLines {
  /** The line the cursor runs along. */
  line: readonly Position[]
  kind?: 'planned' | 'source'
  /** Stretches drawn over the line: off the network, closed, not judged; and the detours. */
  stretches?: readonly { kind: LineKind; line: readonly Position[] }[]
  still?: boolean
}

export const noStretches: NonNullable<ParcoursLines['stretches']> = []

/** The kinds of stretches, undermost first. */
export const overKinds = ['detour', 'unjudged', 'off_network', 'closed'] as const

/** The same lines before the map. */
export const firstLinesOf = ({ line, kind = 'planned', stretches = noStretches, still = false }: ParcoursLines): FirstLine[] => [
  { kind, line, look: still ? 'plain' : 'selected' },
  ...overKinds.flatMap((over) => stretches.filter((stretch) => stretch.kind === over)),
]
