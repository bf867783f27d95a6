import { isOwn } from './map-files'

const AT_ONCE = 4

/** Fills a cache with files, up to a maximum size; what is there already is not fetched again. */
export class FileCache {
  bytes = 0
  /** Files that the network cut off: a later call fetches them. */
  cut = 0
  private readonly wanted = new Set<string>()

  constructor(
    private readonly cache: Cache,
    private readonly mostBytes: number,
    private readonly onBytes: (bytes: number) => void = () => undefined,
  ) {}

  /** The current answer of the server; throws when there is none. */
  async fresh(address: string): Promise<Response> {
    const reply = await fetch(address, { cache: 'no-cache' })
    if (!reply.ok) throw new Error(`${address}: ${reply.status}`)
    return this.put(address, reply)
  }

  /** Each once, as long as there is room; one that the server does not give is left out. Throws where the device has no room. */
  async all(addresses: readonly string[], signal?: AbortSignal): Promise<void> {
    const waiting = addresses.filter(isOwn)
    const work = async () => {
      for (let address = waiting.shift(); address !== undefined && this.bytes < this.mostBytes; address = waiting.shift()) {
        signal?.throwIfAborted()
        const kept = await this.cache.match(address)
        if (kept) {
          this.count(address, (await kept.blob()).size)
          continue
        }
        const reply = await fetch(address, signal ? { signal } : {}).catch(() => null)
        if (reply === null) this.cut += 1
        else if (reply.ok) await this.put(address, reply)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /** Deletes the files that match and that were not asked for this time. */
  async dropOthers(match: (path: string) => boolean): Promise<void> {
    const old = (await this.cache.keys()).filter(({ url }) => match(new URL(url).pathname) && !this.wanted.has(url))
    await Promise.all(old.map((request) => this.cache.delete(request)))
  }

  private async put(address: string, reply: Response): Promise<Response> {
    const body = reply.status === 204 ? null : await reply.blob()
    const kept = new Response(body, { status: reply.status, headers: { 'content-type': reply.headers.get('content-type') ?? '' } })
    await this.cache.put(address, kept.clone())
    this.count(address, body?.size ?? 0)
    return kept
  }

  private count(address: string, size: number): void {
    this.wanted.add(new URL(address, location.href).href)
    this.bytes += size
    this.onBytes(this.bytes)
  }
}
