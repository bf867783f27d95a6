import type { MediaKind } from '@/api/types'

const endings: Record<string, MediaKind> = {
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  webp: 'image',
  avif: 'image',
  gif: 'image',
  svg: 'image',
  mp4: 'video',
  m4v: 'video',
  webm: 'video',
  mov: 'video',
  mp3: 'audio',
  m4a: 'audio',
  ogg: 'audio',
  oga: 'audio',
  wav: 'audio',
  flac: 'audio',
  pdf: 'pdf',
  woff2: 'font',
  woff: 'font',
  ttf: 'font',
  otf: 'font',
}

/** The kind of a file by its name; the server decides from its bytes. */
export const kindOfName = (name: string): MediaKind | undefined => endings[endingOf(name)]

export const endingOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** A photo format of phones (HEIC) that browsers do not show. */
export const isHeic = (name: string): boolean => ['heic', 'heif'].includes(endingOf(name))

/** The endings of one kind, for its file dialog; a photo of a telephone is offered to say what to do with it. */
export const acceptedOf = (kind: MediaKind): string =>
  [...Object.keys(endings).filter((ending) => endings[ending] === kind), ...(kind === 'image' ? ['heic', 'heif'] : [])]
    .map((ending) => `.${ending}`)
    .join(',')

/** What the file dialog offers. */
export const accepted = `${Object.keys(endings)
  .map((ending) => `.${ending}`)
  .join(',')},.heic,.heif`
