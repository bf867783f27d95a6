/** Column, row and zoom of a tile. */
export interface Tile {
  z: number
  x: number
  y: number
}

/** West, south, east, north, degrees. */
export type Box = readonly [number, number, number, number]

/** `[lon, lat]`, or more. */
type Position = readonly number[]

/** Where a place is in tiles of a zoom, from the north-west (Web Mercator). */
function inTiles([lon = 0, lat = 0]: Position, zoom: number): [number, number] {
  const across = 2 ** zoom
  const sine = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180)
  return [(lon / 360 + 0.5) * across, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across]
}

/** The deepest zoom at which all of a line is seen on a map some 700 pixels wide. */
export function fittingZoom(line: readonly Position[]): number {
  const places = line.map((position) => inTiles(position, 0))
  const span = (axis: 0 | 1) => Math.max(...places.map((place) => place[axis])) - Math.min(...places.map((place) => place[axis]))
  const widest = Math.max(span(0) / 1.4, span(1) / 0.8, 2 ** -20)
  return Math.max(0, Math.floor(-Math.log2(widest)))
}

/** The tiles of a zoom that a map along a line may show: those it crosses, and those within some share of a tile around it. */
export function tilesAlong(line: readonly Position[], zoom: number, around: number): Tile[] {
  const found = new Map<string, Tile>()
  const last = 2 ** zoom - 1
  const take = ([x, y]: readonly [number, number]) => {
    for (let column = Math.max(0, Math.floor(x - around)); column <= Math.min(last, Math.floor(x + around)); column++) {
      for (let row = Math.max(0, Math.floor(y - around)); row <= Math.min(last, Math.floor(y + around)); row++) {
        found.set(`${column}/${row}`, { z: zoom, x: column, y: row })
      }
    }
  }
  let before: [number, number] | undefined
  for (const position of line) {
    const here = inTiles(position, zoom)
    const from = before ?? here
    // A long straight stretch has no points on its way.
    const pieces = Math.max(1, Math.ceil(Math.max(Math.abs(here[0] - from[0]), Math.abs(here[1] - from[1])) / 0.5))
    for (let piece = 1; piece <= pieces; piece++)
      take([from[0] + ((here[0] - from[0]) * piece) / pieces, from[1] + ((here[1] - from[1]) * piece) / pieces])
    before = here
  }
  return [...found.values()]
}

/**
 * The tiles to keep of a line, the least deep first, so that a bound cuts the finest alone: from two zooms above the whole
 * line's down to the deepest there is.
 */
export function tilesToKeep(line: readonly Position[], zooms: readonly [number, number], most: number): Tile[] {
  if (line.length === 0) return []
  const kept: Tile[] = []
  for (let zoom = Math.max(zooms[0], Math.min(fittingZoom(line) - 2, zooms[1])); zoom <= zooms[1]; zoom++) {
    const tiles = tilesAlong(line, zoom, zoom < 13 ? 1 : 0.75)
    if (kept.length + tiles.length > most) break
    kept.push(...tiles)
  }
  return kept
}

/** The screen has another shape than the box: so far around it, in tiles. */
const AROUND = 0.5

/** The tiles to keep of a box, the least deep first: as many zooms as `most` allows. */
export function tilesInBox([west, south, east, north]: Box, zooms: readonly [number, number], most: number): Tile[] {
  const corners = [
    [west, north],
    [east, south],
  ]
  const kept: Tile[] = []
  for (let zoom = Math.max(zooms[0], Math.min(fittingZoom(corners) - 2, zooms[1])); zoom <= zooms[1]; zoom++) {
    const last = 2 ** zoom - 1
    const [left, top] = inTiles([west, north], zoom).map((at) => Math.max(0, Math.floor(at - AROUND)))
    const [right, bottom] = inTiles([east, south], zoom).map((at) => Math.min(last, Math.floor(at + AROUND)))
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return kept
    if (kept.length + (right - left + 1) * (bottom - top + 1) > most) break
    for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) kept.push({ z: zoom, x, y })
  }
  return kept
}
