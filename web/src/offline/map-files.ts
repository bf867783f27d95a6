import { tilesInBox, tilesToKeep, type Box, type Tile } from './tiles'

/** The parts of a map style that name files. */
export interface MapStyle {
  sources: Record<string, { tiles?: string[]; minzoom?: number; maxzoom?: number }>
  glyphs?: string
  sprite?: string
  layers: { layout?: Record<string, unknown> }[]
}

/** The icons and letters of a style. */
export const symbolsOf = (style: MapStyle): string[] => [...spritesOf(style), ...glyphsOf(style)]

/** The tiles of each source of a style along a line, at most `most` for each source. */
export const tilesOf = (style: MapStyle, line: readonly (readonly number[])[], most: number): string[] =>
  addressesOf(style, (zooms) => tilesToKeep(line, zooms, most))

/** The tiles of each source of a style in a box, at most `most` for each source. */
export const tilesOfBox = (style: MapStyle, box: Box, most: number): string[] => addressesOf(style, (zooms) => tilesInBox(box, zooms, most))

/** Whether `most` tiles of each source reach its deepest zoom. */
export const coversBox = ({ sources }: MapStyle, box: Box, most: number): boolean =>
  Object.values(sources).every(({ minzoom = 0, maxzoom = 14 }) => tilesInBox(box, [minzoom, maxzoom], most).at(-1)?.z === maxzoom)

function addressesOf({ sources }: MapStyle, tilesOfZooms: (zooms: [number, number]) => Tile[]): string[] {
  return Object.values(sources).flatMap(({ tiles: [address] = [], minzoom = 0, maxzoom = 14 }) =>
    address === undefined || !isOwn(address)
      ? []
      : tilesOfZooms([minzoom, maxzoom]).map(({ z, x, y }) =>
          address.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y)),
        ),
  )
}

function spritesOf({ sprite }: MapStyle): string[] {
  return sprite === undefined ? [] : ['.json', '.png', '@2x.json', '@2x.png'].map((end) => sprite + end)
}

/** The letters of names in Latin script, with the signs between them. */
function glyphsOf({ glyphs, layers }: MapStyle): string[] {
  if (glyphs === undefined) return []
  const stacks = new Set<string>()
  const read = (value: unknown): void => {
    if (!Array.isArray(value)) return
    const [first] = value
    if (value.length > 0 && value.every((part) => typeof part === 'string' && part.includes(' '))) stacks.add(value.join(','))
    else if (first === 'literal') read(value[1])
    else value.forEach(read)
  }
  for (const { layout } of layers) read(layout?.['text-font'])
  const ranges = ['0-255', '256-511', '8192-8447']
  return [...stacks].flatMap((stack) =>
    ranges.map((range) => glyphs.replace('{fontstack}', encodeURIComponent(stack)).replace('{range}', range)),
  )
}

/** An address of this server: others are not stored. */
export const isOwn = (address: string) => new URL(address, location.href).origin === location.origin
