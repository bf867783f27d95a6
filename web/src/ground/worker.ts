// Service worker of `/terrain`: the page's own files of one build, whole, and the downloads.

import { workerScope } from '@/offline/worker-scope'

const scope = workerScope<unknown>()

/** The digest of the files of this build and their addresses: `finish-build.mjs` writes them in place of this word. */
const BUILD: { id: string; files: string[] } = JSON.parse('__GROUND_BUILD__')
const SHELLS = 'terrain-shell-'
const SHELL = SHELLS + BUILD.id
const PAGE = '/terrain/index.html'
const SETTINGS = 'terrain-settings'

/** A person with one bar of signal waits no longer than this for what is also stored. */
const NETWORK_TIMEOUT_MS = 4000

scope.addEventListener('install', (event) => event.waitUntil(keepShell()))
scope.addEventListener('activate', (event) => event.waitUntil(dropOtherShells().then(() => scope.clients.claim())))
scope.addEventListener('message', (event) => {
  if (event.data === 'take-over') event.waitUntil(scope.skipWaiting())
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return
  if (request.mode === 'navigate') {
    if (/^\/terrain(\/|$)/.test(pathname)) event.respondWith(fromShell(PAGE, request))
  } else if (pathname.startsWith('/terrain/') || pathname === '/favicon.svg') {
    event.respondWith(fromShell(pathname, request))
  } else if (pathname === '/payload.json') {
    event.respondWith(newest(request))
  } else if (/^\/(map|media)\//.test(pathname) && (request.cache === 'default' || request.cache === 'force-cache')) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)))
  }
})

/** Every file of this build. The cache of an earlier build goes only once no page uses it. */
async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL)
  for (const file of BUILD.files) {
    // Names with a digest in them never change what they hold.
    const known = file.includes('/assets/') ? await caches.match(file) : undefined
    const reply = known ?? (await fetch(file === PAGE ? '/terrain/' : file, { cache: 'no-cache' }))
    if (!reply.ok) throw new Error(file)
    await cache.put(file, reply)
  }
  // The first page asked for the settings before this worker was there.
  await (await caches.open(SETTINGS)).add('/payload.json')
}

async function dropOtherShells(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(SHELLS) && name !== SHELL)
  await Promise.all(old.map((name) => caches.delete(name)))
}

async function fromShell(file: string, request: Request): Promise<Response> {
  return (await (await caches.open(SHELL)).match(file)) ?? fetch(request)
}

/** From the network within a few seconds, else the last answer. */
async function newest(request: Request): Promise<Response> {
  const cache = await caches.open(SETTINGS)
  const kept = await cache.match(request)
  try {
    const reply = await (kept ? Promise.race([fetch(request), late()]) : fetch(request))
    if (reply.ok) await cache.put(request, reply.clone())
    return reply.ok || kept === undefined ? reply : kept
  } catch {
    return kept ?? Response.error()
  }
}

const late = (): Promise<never> => new Promise((_, fail) => setTimeout(() => fail(new Error('too slow')), NETWORK_TIMEOUT_MS))
