/** Texts as the files hold them: words, or words by name. */
export interface Messages {
  [key: string]: string | Messages
}

/** French typography, put once at loading: narrow no-break before `; ! ?`, no-break before `: %` and inside « ». */
export function typeset(messages: Messages): Messages {
  const one = (text: string) =>
    text
      .replace(/ ([;!?])/g, '\u202f$1')
      .replace(/ ([:%»])/g, '\u00a0$1')
      .replace(/« /g, '«\u00a0')
  return Object.fromEntries(Object.entries(messages).map(([key, value]) => [key, typeof value === 'string' ? one(value) : typeset(value)]))
}

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

/** A text with its parameters: `{{name}}` is replaced, `count` chooses among `_one` and `_other`. */
export function compose(messages: Messages, path: string, params: Params, tag: string): string | undefined {
  const { count } = params
  const plural = typeof count === 'number' ? (textAt(messages, `${path}_${pluralOf(tag, count)}`) ?? textAt(messages, `${path}_other`)) : undefined
  const text = plural ?? textAt(messages, path)
  return text?.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = params[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}
