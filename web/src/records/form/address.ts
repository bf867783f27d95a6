/** Why an address of the web would be refused: the server's codes, so that a step can refuse what the last one would. */
export function addressFault(text: string | null | undefined): 'validation/url-invalid' | 'validation/url-scheme' | undefined {
  const address = (text ?? '').trim()
  if (address === '') return undefined
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(address) ?? []
  if (scheme === undefined || rest === undefined) return 'validation/url-invalid'
  if (!/^https?$/i.test(scheme)) return 'validation/url-scheme'
  const host = /^\/\/([^/?#]+)/.exec(rest)?.[1]
  return host === undefined ||
    /[\s<>"\\^`{|}@]/.test(host) ||
    /[\s<>"\\^`|]/.test(rest) ||
    host
      .split(':')[0]
      ?.split('.')
      .some((part) => part === '') === true
    ? 'validation/url-invalid'
    : undefined
}
