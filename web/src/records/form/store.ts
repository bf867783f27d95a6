import type { Fault } from '@/api/problem'
import { changedPaths, isWithin, patchOf, pathOfPointer, valueAt, withValue, withValues, type Values } from './paths'

/** Deletes what is kept for a field and for its parts. */
function forget(kept: Map<string, unknown>, path: string): void {
  for (const at of kept.keys()) if (isWithin(at, path)) kept.delete(at)
}

/** The state of one form, outside React: a field is rendered when its own value changes, not when another field is typed in. */
export class FormStore<V extends Values> {
  private base: V
  private now: V
  private faultsByPath = new Map<string, Fault>()
  /** Typed texts that cannot be read as a value of their field: the value is still the one before. */
  private unreadByPath = new Map<string, string>()
  private listeners = new Set<() => void>()
  private changed: string[] | null = []

  constructor(base: V) {
    this.base = base
    this.now = base
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private notify() {
    this.changed = null
    this.listeners.forEach((listener) => listener())
  }

  get values(): V {
    return this.now
  }
  get saved(): V {
    return this.base
  }
  get = (path: string): unknown => valueAt(this.now, path)

  /** Write one field; its fault goes with the value it was about. */
  set = (path: string, value: unknown): void => {
    this.now = withValue(this.now, path, value)
    forget(this.faultsByPath, path)
    this.notify()
  }

  /** Keeps a text that cannot be read as a value, `null` once it can. A form with such a text is not saved. */
  setUnread = (path: string, text: string | null): void => {
    if (text === null) this.unreadByPath.delete(path)
    else this.unreadByPath.set(path, text)
    this.notify()
  }
  /** Other values take the place of the texts typed in these fields and their parts. */
  forgetUnread = (paths: readonly string[]): void => {
    for (const path of paths) forget(this.unreadByPath, path)
    this.notify()
  }
  unread = (path: string): string | undefined => this.unreadByPath.get(path)
  unreadPaths = (): string[] => [...this.unreadByPath.keys()]

  /** The leaves that differ from the saved values, or whose text cannot be read. */
  dirtyPaths = (): string[] => (this.changed ??= [...new Set([...changedPaths(this.base, this.now), ...this.unreadByPath.keys()])])
  isDirty = (path: string): boolean => this.dirtyPaths().some((at) => isWithin(at, path))
  patch = (): Values => patchOf(this.now, changedPaths(this.base, this.now))
  /** The values that a draft stores: those that differ from `from`, without files. */
  changes = (from: V = this.base): Record<string, unknown> => this.changedValues(from, (value) => !(value instanceof Blob))
  /** The chosen files, which no draft stores. */
  files = (): Record<string, unknown> => this.changedValues(this.base, (value) => value instanceof Blob)
  private changedValues(from: V, isWanted: (value: unknown) => boolean): Record<string, unknown> {
    const paths = from === this.base ? this.dirtyPaths() : [...new Set([...changedPaths(from, this.now), ...this.unreadByPath.keys()])]
    return Object.fromEntries(paths.map((path) => [path, valueAt(this.now, path) ?? null] as const).filter(([, value]) => isWanted(value)))
  }

  /** These values are now the saved ones, and there are no changes. */
  reset = (base: V): void => {
    this.base = base
    this.now = base
    this.faultsByPath.clear()
    this.unreadByPath.clear()
    this.notify()
  }
  /** Another user saved: their values become the base of the changes made here. */
  rebase = (base: V, now: V): void => {
    this.base = base
    this.now = now
    this.notify()
  }
  /** What was saved just now; what has been typed meanwhile stays typed. */
  settle = (base: V, sent: V): void => {
    const typedSince = changedPaths(sent, this.now)
    this.now = typedSince.reduce<V>((values, path) => withValue(values, path, valueAt(this.now, path)), base)
    this.base = base
    this.faultsByPath.clear()
    this.notify()
  }
  /** Writes the values of a draft over the present ones, or over `over`; they replace texts that cannot be read. */
  restore = (changes: Record<string, unknown>, over: V = this.now): void => {
    this.now = withValues(over, Object.entries(changes))
    this.forgetUnread(Object.keys(changes))
  }

  fault = (path: string): Fault | undefined => this.faultsByPath.get(path)
  /** The first fault in a field or in its parts. */
  faultWithin = (path: string): Fault | undefined =>
    this.fault(path) ?? [...this.faultsByPath].find(([at]) => at.startsWith(`${path}.`))?.[1]
  faultPaths = (): string[] => [...this.faultsByPath.keys()]
  setFaults = (faults: readonly Fault[]): void => {
    this.faultsByPath = new Map(
      faults.flatMap((fault) => (fault.field === undefined ? [] : [[pathOfPointer(fault.field), fault] as const])),
    )
    this.notify()
  }
}
