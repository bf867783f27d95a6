import { redirect } from '@tanstack/react-router'

/** One rule of `/builds/meta/{id}.json`. */
interface RouteRule {
  redirect?: string
  external?: boolean
}
interface Manifest {
  id: string
  matcher: { static?: Record<string, RouteRule>; wildcard?: Record<string, RouteRule>; dynamic?: Record<string, RouteRule> }
}

let manifest: Manifest | undefined

/** Take the rules of this build. */
export function setRouteRules(value: Manifest): void {
  manifest = value
}

const matches = (pattern: string, path: string): boolean => {
  const parts = pattern.split('/')
  const given = path.split('/')
  return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index])
}

/** The rule for a path: the exact one, else the longest wildcard (`/old` for `/old/**`), else one with `:name` parts. */
export function ruleFor(path: string): RouteRule | undefined {
  if (manifest === undefined) return undefined
  const { static: exact = {}, wildcard = {}, dynamic = {} } = manifest.matcher
  if (exact[path] !== undefined) return exact[path]
  const stem = Object.keys(wildcard)
    .map((key) => ({ key, start: key.replace(/\/\*\*$/, '') }))
    .filter(({ start }) => path === start || path.startsWith(`${start}/`))
    .sort((a, b) => b.start.length - a.start.length)[0]
  if (stem !== undefined) return wildcard[stem.key]
  return Object.entries(dynamic).find(([pattern]) => matches(pattern, path))?.[1]
}

/** Applies a redirect of the manifest: one inside the application is thrown to the router, an external one loads the page. */
export function followRouteRules(path: string, leave: (url: string) => void = (url) => window.location.assign(url)): void {
  const rule = ruleFor(path)
  if (rule?.redirect === undefined || rule.redirect === path) return
  if (rule.external === true || /^[a-z]+:/i.test(rule.redirect)) return leave(rule.redirect)
  throw redirect({ href: rule.redirect, replace: true })
}

/** Fetch the rules of a build; without them the app works, it only redirects nothing. */
export async function loadRouteRules(buildId: string): Promise<void> {
  try {
    const response = await fetch(`/builds/meta/${encodeURIComponent(buildId)}.json`)
    if (response.ok) setRouteRules((await response.json()) as Manifest)
  } catch {
    // A build without its manifest has no redirects.
  }
}
