import { isEditable, type Entry } from '@/ground/queue/entry'
import { keptPhotos, type EntryStore } from '@/ground/queue/store'

/** A store in memory, for tests. */
export class MemoryStore implements EntryStore {
  readonly entries = new Map<string, Entry>()
  readonly photos = new Map<string, Blob>()

  all = () => Promise.resolve([...this.entries.values()].map((entry) => structuredClone(entry)))
  get = (id: string) => Promise.resolve(structuredClone(this.entries.get(id) ?? null))
  photo = (key: string) => Promise.resolve(this.photos.get(key) ?? null)

  save = (entry: Entry, photos: ReadonlyMap<string, Blob>) => {
    const before = this.entries.get(entry.id)
    if (before !== undefined && !isEditable(before)) return Promise.resolve(false)
    this.write(entry)
    photos.forEach((blob, key) => this.photos.set(key, blob))
    return Promise.resolve(true)
  }

  change = (id: string, change: (entry: Entry) => Entry | null) => {
    const before = this.entries.get(id)
    const after = before === undefined ? null : change(structuredClone(before))
    if (after !== null) this.write(after)
    return Promise.resolve(structuredClone(after))
  }

  remove = (id: string) => {
    this.entries.get(id)?.photos.forEach(({ key }) => this.photos.delete(key))
    this.entries.delete(id)
    return Promise.resolve()
  }

  private write(entry: Entry): void {
    const kept = keptPhotos(entry)
    this.entries.get(entry.id)?.photos.forEach(({ key }) => kept.has(key) || this.photos.delete(key))
    this.entries.set(entry.id, structuredClone(entry))
  }
}
