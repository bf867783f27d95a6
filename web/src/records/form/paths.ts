/** Values of a form: fields by name; a translated text is one field with a part for each language (`title.fr`). */
export type Values = Record<string, unknown>
type Part = Record<string, unknown>

const isText = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at `title` or `title.fr` or `availability.0.to`. */
export function valueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Part)[key] : undefined), values)
}

/** A copy with one value changed; the rest is shared. */
export function withValue<V extends Values>(values: V, path: string, value: unknown): V {
  const [key, ...rest] = path.split('.')
  if (key === undefined) return values
  const inner = values[key]
  if (rest.length === 0) return { ...values, [key]: value }
  if (Array.isArray(inner)) {
    const index = Number(rest[0])
    return {
      ...values,
      [key]: inner.map((item: unknown, i) =>
        i === index ? (rest.length === 1 ? value : withValue(item as Values, rest.slice(1).join('.'), value)) : item,
      ),
    }
  }
  return { ...values, [key]: withValue((inner ?? {}) as Values, rest.join('.'), value) }
}

/** The values with others at some paths, in the order given. */
export function withValues<V extends Values>(values: V, changes: Iterable<readonly [path: string, value: unknown]>): V {
  return [...changes].reduce((all, [path, value]) => withValue(all, path, value), values)
}

/** Whether a path is that of a field or of one of its parts. */
export const isWithin = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

/** An empty text, null and an absent value are the same in a form. */
const blank = (value: unknown) => value === undefined || value === null || value === ''

/** Whether two values are equal; the order of keys does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || (blank(a) && blank(b))) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]))
  if (isText(a) && isText(b)) return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]))
  return false
}

/** The leaves that differ: a field, or one language of a translated one. */
export function changedPaths(base: Values, now: Values): string[] {
  return [...new Set([...Object.keys(base), ...Object.keys(now)])].flatMap((key) => {
    const [a, b] = [base[key], now[key]]
    if (same(a, b)) return []
    if (isText(a) && isText(b)) return changedPaths(a, b).map((path) => `${key}.${path}`)
    return [key]
  })
}

/** A JSON merge patch of some leaves: of a translated field only the languages that changed. */
export function patchOf(values: Values, paths: readonly string[]): Values {
  const patch: Values = {}
  for (const path of paths) {
    const [key, ...rest] = path.split('.')
    if (key === undefined) continue
    const value = valueAt(values, path)
    if (rest.length === 0) patch[key] = value === undefined ? null : value
    else patch[key] = withValue((patch[key] ?? {}) as Values, rest.join('.'), value === undefined ? null : value)
  }
  return patch
}

/** A path of the form (`title.fr`) as a JSON pointer of the server (`/title/fr`). */
export const pointerOfPath = (path: string): string =>
  `/${path
    .split('.')
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/')}`

/** A JSON pointer of the server (`/title/fr`) as a path of the form (`title.fr`). */
export const pathOfPointer = (pointer: string): string =>
  pointer
    .replace(/^\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
