import { FileCache } from '../../offline/file-cache'
import { symbolsOf, tilesOf, type MapStyle } from '../../offline/map-files'
import type { KeepRequest } from './request'

/** What one parcours may take, and all together; what was looked at longest ago goes first. */
const MOST_BYTES = 25e6
const MOST_BYTES_IN_ALL = 100e6
const MOST_PARCOURS = 30
const MOST_TILES = 600

/** The page's own files, whatever the parcours. */
const SHELL = 'page-shell'
const parcoursCache = (number: string) => `page-parcours-${number}`
/** An address that is never requested: its cache entry records what is stored for a parcours, and when. */
const NOTE = '/.kept'

interface Note {
  at: number
  bytes: number
}

/** Keeps a page with all that it shows; throws where its own parts cannot be had. */
export async function keep(request: KeepRequest): Promise<void> {
  const cache = await caches.open(parcoursCache(request.parcours))
  await keepShell()
  const files = new FileCache(cache, MOST_BYTES)
  await files.fresh(request.page)
  await files.all(request.pictures)
  if (request.style !== '') await keepMap(files, request)
  // Tiles and pictures of an earlier state. Pages and styles of the other language stay.
  await files.dropOthers((path) => /^\/(map\/(tiles|relief)|media)\//.test(path))
  await cache.put(NOTE, new Response(JSON.stringify({ at: Date.now(), bytes: files.bytes } satisfies Note)))
  await letGo()
}

/** Forgets the parcours a page is of: it was taken back. */
export async function forget(page: string): Promise<void> {
  const number = /-?(\d+)\/?$/.exec(page)?.[1]
  if (number !== undefined) await caches.delete(parcoursCache(number))
}

async function keepMap(files: FileCache, request: KeepRequest): Promise<void> {
  const style: MapStyle = await (await files.fresh(request.style)).json()
  await files.all([...symbolsOf(style), ...tilesOf(style, request.line, MOST_TILES)])
}

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
