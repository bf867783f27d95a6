import { useSyncExternalStore } from 'react'

let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

/** Registers the worker that keeps the page's files, and notes a newer version once it is whole. */
export function startWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const note = (worker: ServiceWorker | null) => {
    waiting = worker
    listeners.forEach((listener) => listener())
  }
  register().then(
    (registration) => {
      if (registration.waiting) note(registration.waiting)
      registration.addEventListener('updatefound', () => {
        const coming = registration.installing
        coming?.addEventListener('statechange', () => {
          // Without a controller this is the first version: it is used at once.
          if (coming.state === 'installed' && navigator.serviceWorker.controller !== null) note(coming)
        })
      })
    },
    (error: unknown) => console.error(error),
  )
}

/** `/terrain` without a slash is part of the page where the server allows it. */
async function register(): Promise<ServiceWorkerRegistration> {
  try {
    return await navigator.serviceWorker.register('/terrain/worker.js', { scope: '/terrain' })
  } catch {
    return navigator.serviceWorker.register('/terrain/worker.js', { scope: '/terrain/' })
  }
}

function takeOver(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload())
  // A worker has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  waiting?.postMessage('take-over')
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Loads the page anew with the newer version; null where there is none. */
export const useNewVersion = (): (() => void) | null => useSyncExternalStore(subscribe, () => (waiting === null ? null : takeOver))
