import type { StyleSpecification } from 'maplibre-gl'
import { palettes } from './palette'

/** A plain background, shown when the base map cannot be loaded. */
export const plainGround = (scheme: 'light' | 'dark'): StyleSpecification => ({
  version: 8,
  sources: {},
  layers: [{ id: 'ground', type: 'background', paint: { 'background-color': palettes[scheme].land } }],
})

/** The configured style; rejects when the server doesn't give one. */
export async function fetchStyle(url: string, signal: AbortSignal, afresh: boolean): Promise<StyleSpecification> {
  const response = await fetch(url, { signal, cache: afresh ? 'reload' : 'default' })
  if (!response.ok) throw new Error(`style ${response.status}`)
  return (await response.json()) as StyleSpecification
}

/** MapLibre's worker knows no page: an address of this server that starts with `/` is made absolute. */
export const wholeAddress = (url: string) => ({ url: url.startsWith('/') ? `${window.location.origin}${url}` : url })
