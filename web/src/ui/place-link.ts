import type { LinkProps } from '@tanstack/react-router'

/** A link inside the app. `to` is a path of the router, or a whole path that a definition made (`placeOf`). */
export interface PlaceLink extends Pick<LinkProps, 'params' | 'search' | 'hash'> {
  to: string
}
