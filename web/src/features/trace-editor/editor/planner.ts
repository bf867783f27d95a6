import type { Position } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { type Wish, resolve, wishName, wishes } from '../logic/planning'
import type { Revision } from '../logic/revision'
import type { Services } from './services'

/** The largest number of simultaneous requests: a change of profile makes many. */
const AT_ONCE = 4
/** Answers in the cache; dragging back and forth repeats the same requests. */
const KEPT = 400

interface Listener {
  busy(planning: boolean): void
  answered(resolved: (revision: Revision) => Revision): void
  refused(problem: ProblemError, refused: Revision): void
}

/** Requests the waiting stretches from the planner; a newer change cancels the requests of an older one. */
export class Planner {
  readonly #route: Services['route']
  readonly #listener: Listener
  readonly #known = new Map<string, Position[]>()
  #current: AbortController | null = null

  constructor(route: Services['route'], listener: Listener) {
    this.#route = route
    this.#listener = listener
  }

  follow(revision: Revision): void {
    const wanted = wishes(revision)
    const busy = this.#current !== null
    this.#current?.abort()
    this.#current = null
    if (wanted.length === 0) {
      if (busy) this.#listener.busy(false)
      return
    }
    const current = new AbortController()
    this.#current = current
    if (!busy) this.#listener.busy(true)
    void this.#ask(wanted, revision, current)
  }

  stop(): void {
    this.#current?.abort()
    this.#current = null
  }

  /** The line between two places: remembered, else asked. For the ghost under a moving hand. */
  async line(wish: Omit<Wish, 'key'>, signal: AbortSignal): Promise<Position[]> {
    const name = wishName({ ...wish, key: 0 })
    const before = this.#known.get(name)
    if (before) return before
    const line = await this.#route(wish.from, wish.to, wish.profile, signal)
    this.#known.set(name, line)
    const oldest = this.#known.keys().next()
    if (this.#known.size > KEPT && !oldest.done) this.#known.delete(oldest.value)
    return line
  }

  async #ask(wanted: readonly Wish[], revision: Revision, current: AbortController): Promise<void> {
    const answers = new Map<number, Position[]>()
    const queue = [...wanted]
    const work = async (): Promise<void> => {
      for (let wish = queue.shift(); wish; wish = queue.shift()) answers.set(wish.key, await this.line(wish, current.signal))
    }
    try {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.length) }, work))
    } catch (error) {
      queue.length = 0
      if (this.#current !== current) return
      current.abort()
      this.#finish()
      this.#listener.refused(error instanceof ProblemError ? error : new ProblemError(0, { code: 'planner/no-way' }), revision)
      return
    }
    if (this.#current !== current) return
    this.#finish()
    this.#listener.answered((now) => resolve(now, answers))
  }

  #finish(): void {
    this.#current = null
    this.#listener.busy(false)
  }
}
