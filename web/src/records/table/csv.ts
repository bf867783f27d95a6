/** One line of a table that is not empty, with its number in the file, from 1. */
export interface CsvRow {
  line: number
  cells: readonly string[]
}

const separators = [';', ',', '\t'] as const

/** The text of a file: UTF-16, Windows-1252, or UTF-8 whose invalid bytes are Windows-1252, as on the server. */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeMixed(bytes)
  }
}

/** UTF-16 by its mark, or without one, since every second byte of Latin letters is zero; null where it is another encoding. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const seen = bytes.subarray(0, 1_000)
  const zeros = [0, 1].map((odd) => seen.filter((byte, at) => byte === 0 && at % 2 === odd).length)
  const most = Math.floor(seen.length / 2) / 2
  if ((zeros[1] ?? 0) > most) return 'utf-16le'
  return (zeros[0] ?? 0) > most ? 'utf-16be' : null
}

/** How many bytes the letter of UTF-8 at this place has; 0 where there is none. */
function letterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  const others = bytes.subarray(at + 1, at + length)
  return others.length === length - 1 && others.every((byte) => byte >> 6 === 2) ? length : 0
}

/** All is Windows-1252 if more bytes are invalid in UTF-8 than there are letters beyond ASCII in it; else the invalid bytes alone are. */
function decodeMixed(bytes: Uint8Array): string {
  const [utf8, windows] = [new TextDecoder('utf-8', { ignoreBOM: true }), new TextDecoder('windows-1252')]
  let [text, letters, invalid, begun, at] = ['', 0, 0, 0, 0]
  while (at < bytes.length) {
    const length = letterLength(bytes, at)
    if (length > 1) letters += 1
    if (length === 0) {
      invalid += 1
      text += utf8.decode(bytes.subarray(begun, at)) + windows.decode(bytes.subarray(at, at + 1))
      begun = at + 1
    }
    at += Math.max(1, length)
  }
  return invalid > letters ? windows.decode(bytes) : (text + utf8.decode(bytes.subarray(begun))).replace(/^\uFEFF/, '')
}

/** The separator of a table: the one that its first line has most often, outside quotes. */
export function separatorOf(text: string): string {
  const start = text.search(/[^\r\n]/)
  const first =
    text
      .slice(Math.max(0, start))
      .replace(/"(?:[^"]|"")*"/g, '')
      .split(/\r|\n/)[0] ?? ''
  const count = (separator: string) => first.split(separator).length
  return separators.toSorted((a, b) => count(b) - count(a))[0] ?? ';'
}

/** The rows of a CSV text (RFC 4180); lines without a value are left out. */
export function readCsv(text: string): CsvRow[] {
  const separator = separatorOf(text)
  const rows: CsvRow[] = []
  let [cells, cell, quoted, line, begun]: [string[], string, boolean, number, number] = [[], '', false, 1, 1]
  const endRow = () => {
    cells.push(cell.trim())
    if (cells.some((one) => one !== '')) rows.push({ line: begun, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\n') line += 1
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (sign === '"' && cell.trim() === '') {
      quoted = true
      cell = ''
    } else if (sign === separator) {
      cells.push(cell.trim())
      cell = ''
    } else if (sign === '\n' || (sign === '\r' && text.charAt(at + 1) !== '\n')) {
      endRow()
      begun = line
    } else if (sign !== '\r') cell += sign
  }
  endRow()
  return rows
}
