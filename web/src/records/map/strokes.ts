import type { LinePalette } from './palette'

/** The kind of a stretch of line; each has its own colour and its own pattern. */
export type LineKind = 'planned' | 'source' | 'off_network' | 'closed' | 'unjudged' | 'detour'

/** `selected`: wider, with a halo, and with arrows on a planned line. `faint`: not the parcours of the page. `dots`: dots of an old line over the new one. */
export type LineLook = 'plain' | 'selected' | 'faint' | 'dots'

export interface Stroke {
  suffix: string
  cap: 'round' | 'butt'
  paint: {
    'line-color': string
    'line-width': number
    'line-dasharray'?: number[]
    'line-opacity'?: number
  }
}

/** The strokes of one kind, the lowest first. The lengths of dashes are multiples of the line width. */
export function strokes(kind: LineKind, c: LinePalette, look: LineLook): Stroke[] {
  const extra = look === 'selected' ? 2 : 0
  const opacity = look === 'faint' ? 0.65 : 1
  switch (kind) {
    case 'planned':
      return [
        { suffix: 'case', cap: 'round', paint: { 'line-color': c.casing, 'line-width': 9 + extra, 'line-opacity': opacity } },
        {
          suffix: 'line',
          cap: 'round',
          paint: { 'line-color': c.planned, 'line-width': (look === 'faint' ? 3 : 5) + extra, 'line-opacity': opacity },
        },
      ]
    case 'source':
      if (look === 'dots')
        return [{ suffix: 'line', cap: 'round', paint: { 'line-color': c.source, 'line-width': 4.8, 'line-dasharray': [0.01, 14 / 4.8] } }]
      return [
        {
          suffix: 'case',
          cap: 'round',
          paint: { 'line-color': c.casing, 'line-width': 8 + extra, 'line-dasharray': [0.01, 1], 'line-opacity': opacity },
        },
        {
          suffix: 'line',
          cap: 'round',
          paint: { 'line-color': c.source, 'line-width': 4.8 + extra, 'line-dasharray': [0.01, 8 / 4.8], 'line-opacity': opacity },
        },
      ]
    case 'off_network':
      return [
        { suffix: 'case', cap: 'butt', paint: { 'line-color': c.casing, 'line-width': 11 + extra } },
        { suffix: 'line', cap: 'butt', paint: { 'line-color': c.gap, 'line-width': 7 + extra } },
        { suffix: 'rungs', cap: 'butt', paint: { 'line-color': c.casing, 'line-width': 7 + extra, 'line-dasharray': [0.24, 0.86] } },
      ]
    case 'closed':
      return [
        { suffix: 'case', cap: 'butt', paint: { 'line-color': c.closed, 'line-width': 11 + extra } },
        { suffix: 'line', cap: 'butt', paint: { 'line-color': c.casing, 'line-width': 8 + extra } },
        { suffix: 'bars', cap: 'butt', paint: { 'line-color': c.closed, 'line-width': 8 + extra, 'line-dasharray': [0.75, 0.55] } },
      ]
    case 'detour':
      return [
        { suffix: 'case', cap: 'butt', paint: { 'line-color': c.casing, 'line-width': 8 + extra } },
        { suffix: 'line', cap: 'butt', paint: { 'line-color': c.planned, 'line-width': 4.4 + extra, 'line-dasharray': [2, 1] } },
      ]
    case 'unjudged':
      return [
        { suffix: 'case', cap: 'round', paint: { 'line-color': c.casing, 'line-width': 8 + extra } },
        { suffix: 'line', cap: 'round', paint: { 'line-color': c.hole, 'line-width': 4.4 + extra, 'line-dasharray': [0.01, 2.6] } },
      ]
  }
}

export const colourOf = (kind: LineKind, c: LinePalette) =>
  ({ planned: c.planned, source: c.source, off_network: c.gap, closed: c.closed, unjudged: c.hole, detour: c.planned })[kind]

/** The halo under a selected line. */
export const HALO = { 'line-width': 19, 'line-opacity': 0.22 }
