import type { MediaLimits } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { isHeic, kindOfName } from './kinds'

export type ImportState = 'waiting' | 'sending' | 'paused' | 'processing' | 'done' | 'refused'

/** One file being uploaded. */
export interface ImportItem {
  key: string
  file: File
  state: ImportState
  sentBytes: number
  startedAt: number | null
  mediaId: number | null
  /** Why it was refused. */
  problem: unknown
}

/** The upload of one file; tests replace it. */
export interface Sender {
  /** Starts or resumes the upload. */
  start: () => void
  /** Pauses: the server keeps the received part. */
  pause: () => void
  /** Cancels: the server deletes the received part. */
  drop: () => void
}
export interface SendEvents {
  onProgress: (bytes: number) => void
  onProcessing: () => void
  onDone: (mediaId: number) => void
  onRefused: (problem: unknown) => void
}
export type MakeSender = (file: File, events: SendEvents) => Sender

/** Simultaneous uploads: more would only slow each other down. */
const atOnce = 3

/** Why a file would be refused, as far as its name and size show before it is sent. */
export function refusalOf(file: File, limits: MediaLimits | undefined): ProblemError | null {
  if (isHeic(file.name)) return new ProblemError(422, { code: 'media/heic' })
  const kind = kindOfName(file.name)
  if (kind === undefined) return new ProblemError(422, { code: 'media/not-supported' })
  const max = limits?.[kind].max_bytes
  if (max !== undefined && file.size > max)
    return new ProblemError(422, { code: 'media/too-large', params: { bytes: file.size, max_bytes: max } })
  return null
}

/** The uploads, outside React: leaving the page does not stop them. */
export class ImportStore {
  private items: readonly ImportItem[] = []
  private senders = new Map<string, Sender>()
  private listeners = new Set<() => void>()
  private count = 0

  constructor(
    private make: MakeSender,
    private limits: () => MediaLimits | undefined,
    private onImported: (mediaIds: number) => void = () => undefined,
    private now: () => number = () => Date.now(),
  ) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
  get = (): readonly ImportItem[] => this.items

  add = (files: readonly File[]): void => {
    const limits = this.limits()
    const added = files.map((file): ImportItem => {
      const problem = refusalOf(file, limits)
      return {
        key: `${++this.count}`,
        file,
        state: problem === null ? 'waiting' : 'refused',
        sentBytes: 0,
        startedAt: null,
        mediaId: null,
        problem,
      }
    })
    this.items = [...this.items, ...added]
    this.next()
  }
  /** Another file in the place of a refused one: its JPEG. */
  replace = (key: string, file: File): void => {
    this.remove(key)
    this.add([file])
  }
  pause = (key: string): void => {
    this.senders.get(key)?.pause()
    this.change(key, { state: 'paused' })
    this.next()
  }
  resume = (key: string): void => {
    this.change(key, { state: 'waiting', problem: null })
    this.next()
  }
  remove = (key: string): void => {
    const item = this.items.find((one) => one.key === key)
    if (item !== undefined && item.state !== 'done') this.senders.get(key)?.drop()
    this.senders.delete(key)
    this.items = this.items.filter((one) => one.key !== key)
    this.next()
  }
  clear = (): void => {
    this.items = this.items.filter(({ state }) => state !== 'done' && state !== 'refused')
    this.notify()
  }

  private change(key: string, change: Partial<ImportItem>): void {
    this.items = this.items.map((item) => (item.key === key ? { ...item, ...change } : item))
    this.notify()
  }
  private notify(): void {
    this.listeners.forEach((listener) => listener())
  }
  private next(): void {
    const busy = this.items.filter(({ state }) => state === 'sending' || state === 'processing').length
    for (const item of this.items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, atOnce - busy))) this.begin(item)
    this.notify()
  }
  private begin({ key, file }: ImportItem): void {
    const settled = (change: Partial<ImportItem>) => {
      this.change(key, change)
      this.next()
      if (this.items.every(({ state }) => state === 'done' || state === 'refused')) {
        const done = this.items.filter(({ state }) => state === 'done').length
        if (done > 0) this.onImported(done)
      }
    }
    const sender =
      this.senders.get(key) ??
      this.make(file, {
        onProgress: (sentBytes) => this.change(key, { sentBytes }),
        onProcessing: () => this.change(key, { state: 'processing', sentBytes: file.size }),
        onDone: (mediaId) => settled({ state: 'done', mediaId, sentBytes: file.size }),
        onRefused: (problem) => settled({ state: 'refused', problem }),
      })
    this.senders.set(key, sender)
    this.change(key, { state: 'sending', startedAt: this.now() })
    sender.start()
  }
}
