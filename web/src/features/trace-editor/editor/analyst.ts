import type { AnalysisInput } from '@/api/types'
import { toIgnoredInput } from '../logic/ignored'
import { type Revision } from '../logic/revision'
import { toLegs } from '../logic/wire'
import type { Services } from './services'
import type { Analysed } from './state'

/** An edit that follows another this quickly is judged with it. */
const PAUSE_MS = 300
/** Analyses in the cache, so that undo shows its figures at once. */
const KEPT = 30

/** The values besides the line on which climb, durations and remarks depend. */
type About = Pick<AnalysisInput, 'practice_type_id' | 'is_loop' | 'parcours_id' | 'source_revision'>

interface Listener {
  running(): void
  done(analysed: Analysed): void
  failed(): void
}

/** Has the working revision measured, planned and scored by the server, the newest only. Writes nothing. */
export class Analyst {
  readonly #analyse: Services['analyse']
  readonly #about: (revision: Revision) => About
  readonly #listener: Listener
  #known: Analysed[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #current: AbortController | null = null
  #wanted: Revision | null = null

  constructor(analyse: Services['analyse'], about: (revision: Revision) => About, listener: Listener) {
    this.#analyse = analyse
    this.#about = about
    this.#listener = listener
  }

  know(analysed: Analysed): void {
    this.#known = [analysed, ...this.#known].slice(0, KEPT)
  }

  follow(revision: Revision): void {
    if (this.#wanted && isAbout(this.#wanted, revision)) return
    this.stop()
    const known = this.#known.find((one) => isAbout(one.of, revision))
    if (known) this.#listener.done(known)
    else if (revision.legs.length > 0) this.#later(revision, PAUSE_MS)
  }

  again(revision: Revision): void {
    this.stop()
    this.#known = this.#known.filter((one) => !isAbout(one.of, revision))
    if (revision.legs.length > 0) this.#later(revision, 0)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#current?.abort()
    this.#current = null
    this.#wanted = null
  }

  #later(revision: Revision, pauseMs: number): void {
    this.#wanted = revision
    this.#listener.running()
    this.#timer = setTimeout(() => void this.#ask(revision), pauseMs)
  }

  async #ask(revision: Revision): Promise<void> {
    const current = new AbortController()
    this.#current = current
    try {
      const { mode, profile } = revision
      const answer = await this.#analyse(
        { legs: toLegs(revision), ignored_gaps: toIgnoredInput(revision), mode, profile, ...this.#about(revision) },
        current.signal,
      )
      if (this.#current !== current) return
      this.stop()
      const analysed: Analysed = { ...answer, of: { legs: revision.legs, mode: revision.mode, profile: revision.profile } }
      this.know(analysed)
      this.#listener.done(analysed)
    } catch {
      if (this.#current !== current) return
      this.stop()
      this.#listener.failed()
    }
  }
}

function isAbout(of: Analysed['of'], revision: Revision): boolean {
  return of.legs === revision.legs && of.mode === revision.mode && of.profile === revision.profile
}
