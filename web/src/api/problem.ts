import type { ProblemCode } from './types'

/** One fault in the server's answer (RFC 9457): a stable code, its parameters, and the field it concerns. */
export interface Fault {
  code: string
  params?: Record<string, unknown>
  /** JSON pointer into the body that was sent, e.g. `/title/fr`. */
  field?: string
}

interface ProblemBody extends Fault {
  status?: number
  title?: string
  errors?: Fault[]
  /** Only on 412: the current record. */
  current?: unknown
}

/** A refusal of the server, or a failure on the way to it (`code: "connection"`, status 0). */
export class ProblemError extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly params: Record<string, unknown>
  readonly field: string | undefined
  readonly faults: Fault[]
  readonly current: unknown
  readonly retryAfterS: number | undefined

  constructor(status: number, body: ProblemBody, retryAfterS?: number) {
    super(`${status} ${body.code}`)
    this.name = 'ProblemError'
    this.status = status
    // A newer server may say a code that this page does not know: it is shown as any other.
    this.code = body.code as ProblemCode
    this.params = body.params ?? {}
    this.field = body.field
    this.faults = body.errors ?? (body.field === undefined ? [] : [{ code: body.code, params: this.params, field: body.field }])
    this.current = body.current
    this.retryAfterS = retryAfterS
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function bodyOf(value: unknown, status: number): ProblemBody {
  if (isRecord(value) && typeof value['code'] === 'string') return value as unknown as ProblemBody
  return { code: `http/${status}` }
}

/** Read a refused answer; one without a problem in it (a proxy's page) becomes `http/<status>`. */
export async function problemFrom(response: Response): Promise<ProblemError> {
  const text = await response.text().catch(() => '')
  let body: unknown = null
  try {
    body = JSON.parse(text)
  } catch {
    body = null
  }
  const after = Number(response.headers.get('retry-after'))
  return new ProblemError(response.status, bodyOf(body, response.status), Number.isFinite(after) && after > 0 ? after : undefined)
}

/** The server did not answer at all. */
export const connectionProblem = () => new ProblemError(0, { code: 'connection' })

/** Whether a change was refused because the record was saved by another person, or in another window, since it was read. */
export const isStale = (problem: unknown): boolean => problem instanceof ProblemError && problem.code === 'version/stale'

/** Whether the server refused the code of the second step, and not the address or the password. */
export const isAboutTotp = (problem: unknown): boolean => problem instanceof ProblemError && problem.code.startsWith('auth/totp-')
