import { ProblemError, type Fault } from '@/api/problem'
import { textFor, translate } from '@/i18n'
import { format } from '@/ui/format'

/** A day of the calendar that exists: `2026-02-30` does not. */
const isDay = (text: string) => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
/** Parameters that are quoted as they were typed or read. */
const quoted = ['value', 'example', 'title', 'name', 'file', 'file_name', 'id', 'code', 'text']

/** Parameters as people write them: a delay in minutes, bytes in Mo, a day in the language, the rest as it came. */
function worded(params: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(params).map(([key, value]) => {
    if (typeof value === 'string' && !quoted.includes(key) && isDay(value)) return [key, format.day(value)]
    if (typeof value !== 'number') return [key, value]
    if (key.endsWith('_s')) return [key, value < 60 ? format.unit(Math.ceil(value), 's') : format.duration(Math.ceil(value / 60) * 60)]
    if (key.endsWith('_m')) return [key, format.distance(value)]
    if (key.endsWith('bytes')) return [key, format.bytes(value)]
    return [key, value]
  })
  return Object.fromEntries(entries)
}

/** The text of a code; some have another one, with `_at_line`, where the line of the file is known. */
function textOf(code: string, params: Record<string, unknown>): string | undefined {
  const filled = worded(params)
  const atLine = params['line'] === undefined ? undefined : textFor(`errors:${code}_at_line`, filled)
  return atLine ?? textFor(`errors:${code}`, filled)
}

/** One fault in the user's words. */
export function faultText(fault: Pick<Fault, 'code' | 'params'>): string {
  return textOf(fault.code, fault.params ?? {}) ?? translate('errors:unknown', { code: fault.code })
}

/** Why something failed, in the language of the interface; an error that is no refusal of the server is called unexpected. */
export function problemText(error: unknown): string {
  if (!(error instanceof ProblemError)) return translate('unexpected')
  // The texts of errors are fetched late on some pages: without network they may not have come.
  if (textFor('errors:internal') === undefined) return translate('noAnswer')
  const params = error.retryAfterS === undefined ? error.params : { retry_after_s: error.retryAfterS, ...error.params }
  const own = textOf(error.code, params)
  if (own !== undefined) return own
  return (
    textFor(`errors:http/${error.status}`) ?? translate(error.status >= 500 ? 'errors:internal' : 'errors:unknown', { code: error.code })
  )
}
