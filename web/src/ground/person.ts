import { api, unwrap } from '@/api/client'
import { ProblemError } from '@/api/problem'
import { groundPersonKey } from '@/api/signed-in-user'

/** Whose parcours and entries are shown. */
export interface Person {
  id: number
  name: string
  /** Whether the person may record; others download parcours and look. */
  mayRecord: boolean
}

/** Whether the server knows the person: `away` without network, `signed-out` when the session ended. */
export type Link = 'unknown' | 'connected' | 'away' | 'signed-out'

/** The person of the last visit on this device. */
export function notedPerson(): Person | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(groundPersonKey) ?? 'null')
    return isPerson(found) ? found : null
  } catch {
    return null
  }
}

const isPerson = (found: unknown): found is Person =>
  typeof found === 'object' &&
  found !== null &&
  'id' in found &&
  typeof found.id === 'number' &&
  'name' in found &&
  typeof found.name === 'string' &&
  'mayRecord' in found &&
  typeof found.mayRecord === 'boolean'

/** A weak network is treated as none after this time, milliseconds. */
const SESSION_TIMEOUT_MS = 8000

/** Asks the server who is signed in. Without an answer the person of the last visit goes on. */
export async function askPerson(): Promise<{ person: Person | null; link: Link }> {
  try {
    const me = await unwrap(api.GET('/api/v1/session', { signal: AbortSignal.timeout(SESSION_TIMEOUT_MS) }))
    const person = { id: me.id, name: `${me.first_name} ${me.last_name}`, mayRecord: me.capabilities.includes('content.write') }
    localStorage.setItem(groundPersonKey, JSON.stringify(person))
    return { person, link: 'connected' }
  } catch (error) {
    return { person: notedPerson(), link: error instanceof ProblemError && error.status === 401 ? 'signed-out' : 'away' }
  }
}
