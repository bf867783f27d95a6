import { fetchOk, setApiBase } from './http'
import type { Payload } from './types'

let loaded: Payload | undefined

/** The settings of the running server; read once before the first screen. */
export async function loadPayload(): Promise<Payload> {
  const response = await fetchOk('/payload.json')
  loaded = (await response.json()) as Payload
  setApiBase(loaded.api_base)
  return loaded
}

/** The runtime configuration. Screens exist only once it is there. */
export function payload(): Payload {
  if (loaded === undefined) throw new Error('payload read before it was loaded')
  return loaded
}

/** Tests set it by hand. */
export function setPayload(value: Payload): void {
  loaded = value
  setApiBase(value.api_base)
}
