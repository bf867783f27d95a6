import { crc32, inflateRawSync } from 'node:zlib'

/** The entries of a zip file by name, read through its central directory; checksums are verified. */
export function unzip(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf('PK\x05\x06')
  const entries = new Map<string, Buffer>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, sum, length, nameLength] = [
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 16),
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
    ]
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

/** An uncompressed zip file of these texts. */
export function zipOf(files: Record<string, string>): Buffer {
  const [bodies, heads]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const [data, title] = [Buffer.from(text), Buffer.from(name)]
    // Version, flags, method, time and date, checksum, sizes, length of the name and of the extra field.
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(0x800, 2)
    head.writeUInt16LE(0x21, 8)
    head.writeUInt32LE(crc32(data), 10)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(data.length, 18)
    head.writeUInt16LE(title.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    bodies.push(Buffer.from('PK\x03\x04'), head, title, data)
    heads.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), head, place, title)
    at += 30 + title.length + data.length
  }
  const list = Buffer.concat(heads)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, list, Buffer.from('PK\x05\x06'), end])
}
