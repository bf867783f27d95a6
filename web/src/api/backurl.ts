const unprintable = (text: string) => Array.from(text).some((letter) => letter < ' ' || letter === '\u007f')

/**
 * The path to go back to after sign-in, or `/` when it is not a path of this application: another site's address, a scheme,
 * `//host`, a backslash or a control character are all refused, and so is the sign-in page itself.
 */
export function safeBackurl(requested: unknown): string {
  if (typeof requested !== 'string' || !requested.startsWith('/') || requested.includes('\\') || unprintable(requested)) return '/'
  if (requested.startsWith('//')) return '/'
  let there: URL
  try {
    there = new URL(requested, 'https://jalon.invalid')
  } catch {
    return '/'
  }
  // After normalisation `/..//host` would become `//host`.
  if (there.origin !== 'https://jalon.invalid' || there.pathname.startsWith('//')) return '/'
  if (/^(\/en)?\/login(\/|$)/.test(there.pathname)) return '/'
  return `${there.pathname}${there.search}${there.hash}`
}
