import { useEffect, useSyncExternalStore } from 'react'
import type { PlaceLink } from './place-link'

/** One step of the breadcrumb; the last one is the page itself and has no link. */
export interface Crumb {
  label: string
  link?: PlaceLink
}

let crumbs: readonly Crumb[] = []
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The breadcrumb of the page shown. */
export const useCrumbs = (): readonly Crumb[] => useSyncExternalStore(subscribe, () => crumbs)

/**
 * Say what the page is: the breadcrumb in the top bar, and « record · section · Jalon » in the browser's tab.
 * `usePageMeta([{ label: t('contents') }, { label: 'Parcours', link: { to: '/parcours' } }, { label: title }])`
 */
export function usePageMeta(path: readonly Crumb[]): void {
  const key = JSON.stringify(path)
  useEffect(() => {
    const trail = JSON.parse(key) as Crumb[]
    crumbs = trail
    document.title = [
      ...trail
        .filter(({ link }, i) => link !== undefined || i === trail.length - 1)
        .map(({ label }) => label)
        .toReversed(),
      'Jalon',
    ].join(' · ')
    listeners.forEach((listener) => listener())
  }, [key])
}
