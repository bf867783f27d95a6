import type { LngLat } from '@/api/types'

/** Why points are not on the device: it has no room, or the browser refuses to write. */
export type NotStored = 'full' | 'notStored'

/** The points of a recording that are not on the device yet, in their order. One that cannot be written stays here until it can. */
export class Unstored {
  private waiting: readonly LngLat[] = []
  private run: Promise<void> | null = null
  /** Why the last attempt failed; null where it did not. */
  problem: NotStored | null = null

  constructor(
    /** Writes points after those that are there: all of them or none. */
    private readonly write: (points: readonly LngLat[]) => Promise<void>,
    private readonly isFull: (error: unknown) => boolean,
  ) {}

  get points(): readonly LngLat[] {
    return this.waiting
  }

  add(point: LngLat): Promise<void> {
    this.waiting = [...this.waiting, point]
    return this.flush()
  }

  /** Tries to write what waits, one attempt at a time; `problem` says how it went. */
  flush(): Promise<void> {
    return (this.run ??= this.writeAll().finally(() => (this.run = null)))
  }

  /** The recording is over. */
  clear(): void {
    this.waiting = []
    this.problem = null
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting
      try {
        await this.write(batch)
      } catch (error) {
        // Ended meanwhile: nothing waits.
        if (this.waiting.length > 0) this.problem = this.isFull(error) ? 'full' : 'notStored'
        return
      }
      this.problem = null
      // The recording may have ended, and another one begun, while these were written.
      this.waiting = this.waiting.filter((point) => !batch.includes(point))
    }
  }
}
