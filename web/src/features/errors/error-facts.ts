import { ProblemError } from '@/api/problem'

export type ErrorVariant = 'unauthorised' | 'forbidden' | 'notFound' | 'badFilter' | 'unreachable' | 'other'

/** The facts about an error, for its page and its logs. */
export interface ErrorFacts {
  variant: ErrorVariant
  status: string | undefined
  message: string | undefined
  stack: string | undefined
}

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error ? (error as Record<string, unknown>)[name] : undefined

/** The status an error carries, be it a number or a string; nothing when it has none. */
export function statusOf(error: unknown): string | undefined {
  const status = error instanceof ProblemError ? error.status : (field(error, 'statusCode') ?? field(error, 'status'))
  if (typeof status === 'number' && status > 0) return String(status)
  return typeof status === 'string' && status.trim() !== '' ? status.trim() : undefined
}

const variants: Record<string, ErrorVariant> = { '401': 'unauthorised', '403': 'forbidden', '404': 'notFound' }
const variantsOfCodes: Record<string, ErrorVariant> = { connection: 'unreachable', 'request/bad-query': 'badFilter' }

/** The filter of the address that the server does not know. */
export const badFilterOf = (error: unknown): string =>
  error instanceof ProblemError && typeof error.params['name'] === 'string' ? error.params['name'] : ''

/** Read an error of any kind: a problem of the API, an error of the browser, or any thrown value. */
export function factsOf(error: unknown): ErrorFacts {
  const status = statusOf(error)
  const message = field(error, 'statusMessage') ?? field(error, 'message') ?? (typeof error === 'string' ? error : undefined)
  const stack = field(error, 'stack')
  return {
    variant: (error instanceof ProblemError ? variantsOfCodes[error.code] : undefined) ?? variants[status ?? ''] ?? 'other',
    status,
    message: typeof message === 'string' && message !== '' ? message : undefined,
    stack: typeof stack === 'string' && stack !== '' ? stack : undefined,
  }
}

/** The parts of the logs, each only if present. */
export interface LogItem {
  key: 'status' | 'message' | 'stack' | 'user' | 'previous' | 'current'
  value: string
}

export function logItems(
  facts: ErrorFacts,
  around: { userId: number | undefined; previous: string | undefined; current: string },
): LogItem[] {
  const items: { key: LogItem['key']; value: string | undefined }[] = [
    { key: 'status', value: facts.status },
    { key: 'message', value: facts.message },
    { key: 'stack', value: facts.stack },
    { key: 'user', value: around.userId === undefined ? undefined : String(around.userId) },
    { key: 'previous', value: around.previous },
    { key: 'current', value: around.current },
  ]
  return items.flatMap(({ key, value }) => (value === undefined || value === '' ? [] : [{ key, value }]))
}

/** The same as text, one item a line. */
export const logText = (items: readonly LogItem[], label: (key: LogItem['key']) => string): string =>
  items.map(({ key, value }) => `${label(key)}: ${value}`).join('\n')
