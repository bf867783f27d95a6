import { deflateSync } from 'node:zlib'

/** Check sum of a PNG chunk (CRC-32 of ISO 3309, as PNG asks). */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** An EXIF block that contains only a position: a TIFF of two directories, as cameras write it. */
export function exifOfPlace([lng, lat]: readonly [number, number]): Buffer {
  const notes = Buffer.alloc(128)
  notes.write('II*\0', 0, 'latin1')
  notes.writeUInt32LE(8, 4)
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    notes.writeUInt16LE(tag, at)
    notes.writeUInt16LE(type, at + 2)
    notes.writeUInt32LE(count, at + 4)
    notes.writeUInt32LE(value, at + 8)
  }
  notes.writeUInt16LE(1, 8)
  entry(10, 0x8825, 4, 1, 26)
  notes.writeUInt16LE(4, 26)
  entry(28, 1, 2, 2, (lat < 0 ? 'S' : 'N').charCodeAt(0))
  entry(40, 2, 5, 3, 80)
  entry(52, 3, 2, 2, (lng < 0 ? 'W' : 'E').charCodeAt(0))
  entry(64, 4, 5, 3, 104)
  // Degrees in millionths, then no minute and no second.
  for (const [at, degrees] of [
    [80, lat],
    [104, lng],
  ] as const) {
    const parts = [Math.round(Math.abs(degrees) * 1e6), 1e6, 0, 1, 0, 1]
    parts.forEach((part, index) => notes.writeUInt32LE(part, at + 4 * index))
  }
  return notes
}

/** A PNG of one grey; another grey is another file for the media library, which detects duplicates. */
export function png(width: number, height: number, grey = Date.now() % 256, exif?: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8, 8)
  const rows = Buffer.alloc((width + 1) * height, grey)
  // Each row begins with its filter: none.
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    ...(exif === undefined ? [] : [chunk('eXIf', exif)]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
