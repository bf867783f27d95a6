import { typeset } from './typography'

/** Texts as the files hold them: words, or words by name. */
export interface Messages {
  [key: string]: string | Messages
}

/** Sets the spaces of every text of an area, once at loading. */
export const typesetAll = (messages: Messages, locale: 'fr' | 'en'): Messages =>
  Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [key, typeof value === 'string' ? typeset(value, locale) : typesetAll(value, locale)]),
  )

const textAt = (messages: Messages, path: string): string | undefined => {
  // Error codes are keys as they are; everything else goes down by its dots.
  const direct = messages[path]
  if (typeof direct === 'string') return direct
  const found = path.split('.').reduce<string | Messages | undefined>((at, key) => (typeof at === 'object' ? at[key] : undefined), messages)
  return typeof found === 'string' ? found : undefined
}

const rules = new Map<string, Intl.PluralRules>()
function pluralOf(tag: string, count: number): string {
  let rule = rules.get(tag)
  if (rule === undefined) rules.set(tag, (rule = new Intl.PluralRules(tag)))
  return rule.select(count)
}

export type Params = Readonly<Record<string, unknown>>

/** Parameters that name a thing: they are written as they are, without a separator of thousands. */
export const identifiers: ReadonlySet<string> = new Set(['id', 'poi_id', 'record_id', 'code', 'status', 'version'])

const formats = new Map<string, Intl.NumberFormat>()
function written(value: number, name: string, tag: string): string {
  if (identifiers.has(name)) return String(value)
  let format = formats.get(tag)
  if (format === undefined) formats.set(tag, (format = new Intl.NumberFormat(tag)))
  return format.format(value)
}

/** A text with its parameters: `{{name}}` is replaced, numbers are formatted, `count` chooses among `_one` and `_other`. */
export function compose(messages: Messages, path: string, params: Params, tag: string): string | undefined {
  const { count } = params
  const plural =
    typeof count === 'number' ? (textAt(messages, `${path}_${pluralOf(tag, count)}`) ?? textAt(messages, `${path}_other`)) : undefined
  const text = plural ?? textAt(messages, path)
  return text?.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = params[name]
    if (typeof value === 'number') return written(value, name, tag)
    return typeof value === 'string' ? value : whole
  })
}
