// Service worker of the public pages: a page that was opened once opens again without network.
import { workerScope } from '../offline/worker-scope'
import { forget, keep } from './offline/store'
import type { KeepAnswer, KeepRequest } from './offline/request'

const scope = workerScope<KeepRequest>()

/** A walker with one bar of signal waits no longer than this for a page that is kept. */
const PAGE_TIMEOUT_MS = 4_000

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))

scope.addEventListener('message', (event) => {
  const answer = (message: KeepAnswer) => event.ports[0]?.postMessage(message)
  // `fetch` says so, and nothing else here does, when there is no network.
  const failed = (error: unknown) => answer({ kept: false, offline: error instanceof TypeError })
  event.waitUntil(keep(event.data).then(() => answer({ kept: true, offline: false }), failed))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return
  if (request.mode === 'navigate') {
    if (/^(\/en)?\/p\/[^/]+\/?$/.test(pathname)) event.respondWith(page(request, pathname))
  } else if (/^\/map\/style-|^\/public-page\/[^/]+$/.test(pathname)) {
    event.respondWith(newest(request))
  } else if (/^\/(public-page|map|media)\/|^\/favicon\.svg$/.test(pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)))
  }
})

async function page(request: Request, path: string): Promise<Response> {
  const kept = await caches.match(path)
  try {
    // Asked for again by its tag: the browser's own minute would hide that a parcours was taken back.
    const reply = await within(fetch(new Request(request, { cache: 'no-cache' })), kept ? PAGE_TIMEOUT_MS : null)
    if (reply.status === 404 || reply.status === 410) await forget(path)
    return reply.status >= 500 && kept ? kept : reply
  } catch {
    return kept ?? Response.error()
  }
}

/** From the network, else from the cache, ignoring the query for the page's own files: it contains the build. */
async function newest(request: Request): Promise<Response> {
  const isShell = new URL(request.url).pathname.startsWith('/public-page/')
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(request, { ignoreSearch: isShell })) ?? Response.error()
  }
}

function within<T>(work: Promise<T>, timeoutMs: number | null): Promise<T> {
  if (timeoutMs === null) return work
  return Promise.race([work, new Promise<never>((_, fail) => setTimeout(() => fail(new Error('too slow')), timeoutMs))])
}
