/** One line of a table that is not empty, with its number in the file, from 1. */
export interface CsvRow {
  line: number
  cells: readonly string[]
}

const separators = [';', ',', '\t'] as const

/** The text of a file: UTF-16 by its mark, else UTF-8, else Windows-1252, which spreadsheets in Western Europe write. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
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
