import { pauseMs, sendWaiting, type SendContext, type SendEnd, type SendProgress } from './send'

export interface SenderState {
  running: boolean
  progress: SendProgress | null
  /** How the last run ended; `failed`: this page could not read or write its own database. */
  end: SendEnd | { kind: 'failed' } | null
}

const idle: SenderState = { running: false, progress: null, end: null }

/** Sends the waiting entries, one run at a time among all tabs of the person (a Web Lock); retries after a pause when the network fails. */
export class Sender {
  private state = idle
  private readonly listeners = new Set<() => void>()
  private attempt = 0
  private again = false
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly context: Omit<SendContext, 'onProgress'>) {}

  get = (): SenderState => this.state
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Begins a run; while one is active, another one follows it. */
  start = (): void => {
    clearTimeout(this.timer)
    if (this.state.running) this.again = true
    else void this.run()
  }

  stop = (): void => clearTimeout(this.timer)

  private async run(): Promise<void> {
    this.again = false
    this.set({ running: true, progress: null })
    const end = await this.locked().catch((error: unknown): SenderState['end'] => {
      console.error(error)
      return { kind: 'failed' }
    })
    this.set({ running: false, progress: null, end })
    if (end?.kind === 'away') {
      // After a run that sent something the pause is short again: the network is weak, not absent.
      this.attempt = end.sent > 0 ? 1 : this.attempt + 1
      this.timer = setTimeout(this.start, pauseMs(this.attempt, end.retryAfterS))
    } else {
      this.attempt = 0
      if (this.again) this.start()
    }
  }

  /** Waits while another tab of the same person sends, then runs too: the other run does not send what was confirmed after its start. */
  private async locked(): Promise<SendEnd> {
    return await navigator.locks.request(`jalon-ground-send-${this.context.userId}`, () =>
      sendWaiting({ ...this.context, onProgress: (progress) => this.set({ progress }) }),
    )
  }

  private set(change: Partial<SenderState>): void {
    this.state = { ...this.state, ...change }
    this.listeners.forEach((listener) => listener())
  }
}
