import { crc32, inflateRawSync } from 'node:zlib'

/** The entries of a zip file by their names, found by its list at the end, as readers do; each sum is checked. */
export function unzipped(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf('PK\x05\x06')
  const entries = new Map<string, Buffer>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, sum, length, nameLength] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 16), file.readUInt32LE(at + 20), file.readUInt16LE(at + 28)]
    const name = file.toString('utf8', at + 46, at + 46 + nameLength)
    const head = file.readUInt32LE(at + 42)
    const start = head + 30 + file.readUInt16LE(head + 26) + file.readUInt16LE(head + 28)
    const data = file.subarray(start, start + length)
    const bytes = method === 8 ? inflateRawSync(data) : data
    if (crc32(bytes) !== sum) throw new Error(`${name} is broken`)
    entries.set(name, bytes)
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}
