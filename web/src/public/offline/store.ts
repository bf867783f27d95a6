import type { KeepRequest } from './request'
import { tilesToKeep } from './tiles'

/** What one parcours may take, and all together; what was looked at longest ago goes first. */
const MOST_BYTES = 25e6
const MOST_BYTES_IN_ALL = 100e6
const MOST_PARCOURS = 30
const MOST_TILES = 600
const AT_ONCE = 4

/** The page's own files, whatever the parcours. */
const SHELL = 'page-shell'
const parcoursCache = (number: string) => `page-parcours-${number}`
/** An address that is never requested: its cache entry records what is stored for a parcours, and when. */
const NOTE = '/.kept'

interface Note {
  at: number
  bytes: number
}

interface Style {
  sources: Record<string, { tiles?: string[]; minzoom?: number; maxzoom?: number }>
  glyphs?: string
  sprite?: string
  layers: { layout?: Record<string, unknown> }[]
}

/** Keeps a page with all that it shows; throws where its own parts cannot be had. */
export async function keep(asked: KeepRequest): Promise<void> {
  const cache = await caches.open(parcoursCache(asked.parcours))
  await keepShell()
  const box = new Box(cache)
  await box.fresh(asked.page)
  await box.all(asked.pictures)
  if (asked.style !== '') await keepMap(box, asked)
  await box.dropOthers()
  await cache.put(NOTE, new Response(JSON.stringify({ at: Date.now(), bytes: box.bytes } satisfies Note)))
  await letGo()
}

/** Forgets the parcours a page is of: it was taken back. */
export async function forget(page: string): Promise<void> {
  const number = /-?(\d+)\/?$/.exec(page)?.[1]
  if (number !== undefined) await caches.delete(parcoursCache(number))
}

async function keepMap(box: Box, asked: KeepRequest): Promise<void> {
  const style: Style = await (await box.fresh(asked.style)).json()
  await box.all([...spritesOf(style), ...glyphsOf(style)])
  for (const { tiles: [address] = [], minzoom = 0, maxzoom = 14 } of Object.values(style.sources)) {
    if (address === undefined || !isOurs(address)) continue
    const tiles = tilesToKeep(asked.line, [minzoom, maxzoom], MOST_TILES)
    await box.all(tiles.map(({ z, x, y }) => address.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))))
  }
}

function spritesOf({ sprite }: Style): string[] {
  return sprite === undefined ? [] : ['.json', '.png', '@2x.json', '@2x.png'].map((end) => sprite + end)
}

/** The letters of names in Latin script, with the signs between them. */
function glyphsOf({ glyphs, layers }: Style): string[] {
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
  return [...stacks].flatMap((stack) => ranges.map((range) => glyphs.replace('{fontstack}', encodeURIComponent(stack)).replace('{range}', range)))
}

const isOurs = (address: string) => new URL(address, location.href).origin === location.origin

/** The page's script and look: whole before the old ones go, so that a kept page always finds its parts. */
async function keepShell(): Promise<void> {
  const list = await fetch('/public-page/files.json', { cache: 'no-cache' })
  if (!list.ok) throw new Error('no list of files')
  const files: string[] = await list.json()
  const cache = await caches.open(SHELL)
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  for (const file of files) {
    // Names with a digest in them never change what they hold.
    if (known.has(file) && file.includes('/chunks/')) continue
    const reply = await fetch(file)
    if (!reply.ok) throw new Error(file)
    await cache.put(file, reply)
  }
  await Promise.all([...known].filter((file) => !files.includes(file)).map((file) => cache.delete(file)))
}

/** The files stored for one parcours, up to the maximum size. */
class Box {
  bytes = 0
  private readonly wanted = new Set<string>()

  constructor(private readonly cache: Cache) {}

  /** The current answer of the server; throws when there is none. */
  async fresh(address: string): Promise<Response> {
    const reply = await fetch(address, { cache: 'no-cache' })
    if (!reply.ok) throw new Error(`${address}: ${reply.status}`)
    return this.put(address, reply)
  }

  /** Each once, as long as there is room; one that cannot be had is left out. */
  async all(addresses: readonly string[]): Promise<void> {
    const waiting = addresses.filter(isOurs)
    const work = async () => {
      for (let address = waiting.shift(); address !== undefined && this.bytes < MOST_BYTES; address = waiting.shift()) {
        const kept = await this.cache.match(address)
        if (kept) {
          this.wanted.add(absolute(address))
          this.bytes += (await kept.blob()).size
          continue
        }
        const reply = await fetch(address).catch(() => null)
        if (reply?.ok) await this.put(address, reply)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /** Tiles and pictures of an earlier state. Pages and styles of the other language stay. */
  async dropOthers(): Promise<void> {
    const old = (await this.cache.keys()).filter(({ url }) => /^\/(map\/(tiles|relief)|media)\//.test(new URL(url).pathname) && !this.wanted.has(url))
    await Promise.all(old.map((request) => this.cache.delete(request)))
  }

  private async put(address: string, reply: Response): Promise<Response> {
    const body = reply.status === 204 ? null : await reply.blob()
    const kept = new Response(body, { status: reply.status, headers: { 'content-type': reply.headers.get('content-type') ?? '' } })
    this.wanted.add(absolute(address))
    this.bytes += body?.size ?? 0
    await this.cache.put(address, kept.clone())
    return kept
  }
}

const absolute = (address: string) => new URL(address, location.href).href

/** What was looked at longest ago, where there is too much. */
async function letGo(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(parcoursCache('')))
  const notes = await Promise.all(names.map(async (name) => ({ name, ...(await noteOf(name)) })))
  notes.sort((one, other) => other.at - one.at)
  let bytes = 0
  for (const [index, note] of notes.entries()) {
    bytes += note.bytes
    if (index >= MOST_PARCOURS || (index > 0 && bytes > MOST_BYTES_IN_ALL)) await caches.delete(note.name)
  }
}

async function noteOf(name: string): Promise<Note> {
  const found = await (await caches.open(name)).match(NOTE)
  // Half kept: the first to go.
  return found ? found.json() : { at: 0, bytes: 0 }
}
