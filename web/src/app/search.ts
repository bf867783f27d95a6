export type Search = Record<string, string>

/** Search parameters are plain strings: what a person reads in the address bar is what a page gets. */
export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text))
export const stringifySearch = (search: Record<string, unknown>): string => {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}
