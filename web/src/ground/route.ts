import { useSyncExternalStore } from 'react'

/** The screens of the page, by their addresses. */
export type Route =
  | { screen: 'home' }
  | { screen: 'download' }
  | { screen: 'download-area' }
  | { screen: 'parcours'; id: number }
  | { screen: 'queue' }

export function routeOf(path: string): Route {
  const rest = path.replace(/^\/terrain\/?/, '').replace(/\/$/, '')
  if (rest === 'emporter') return { screen: 'download' }
  if (rest === 'emporter/zone') return { screen: 'download-area' }
  if (rest === 'envois') return { screen: 'queue' }
  const [, kind, id] = /^(parcours|zone)\/(\d+)$/.exec(rest) ?? []
  // An area has a number below zero on the device.
  return id === undefined ? { screen: 'home' } : { screen: 'parcours', id: kind === 'zone' ? -Number(id) : Number(id) }
}

export function pathOf(route: Route): string {
  switch (route.screen) {
    case 'home':
      return '/terrain/'
    case 'download':
      return '/terrain/emporter'
    case 'download-area':
      return '/terrain/emporter/zone'
    case 'queue':
      return '/terrain/envois'
    case 'parcours':
      return route.id < 0 ? `/terrain/zone/${-route.id}` : `/terrain/parcours/${route.id}`
  }
}

const MOVED = 'jalon:moved'
let moved = false
/** Whether the person went from one screen to another since the page was loaded. */
export const hasMoved = (): boolean => moved
window.addEventListener('popstate', () => (moved = true))

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  window.addEventListener(MOVED, listener)
  return () => {
    window.removeEventListener('popstate', listener)
    window.removeEventListener(MOVED, listener)
  }
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname)

export function goTo(route: Route): void {
  moved = true
  window.history.pushState(null, '', pathOf(route))
  window.dispatchEvent(new Event(MOVED))
}
