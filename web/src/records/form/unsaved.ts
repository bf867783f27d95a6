/** What is changed and not saved, as the guard of a page asks for it. */
export interface Unsaved {
  subscribe: (listener: () => void) => () => void
  /** The paths of the changed fields; the same array while none changes. */
  dirtyPaths: () => string[]
}

/** The same for a form that keeps its values itself. */
export class UnsavedPaths implements Unsaved {
  private paths: string[] = []
  private readonly listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  dirtyPaths = (): string[] => this.paths

  set = (paths: string[]): void => {
    if (paths.join() === this.paths.join()) return
    this.paths = paths
    for (const listener of this.listeners) listener()
  }
}
