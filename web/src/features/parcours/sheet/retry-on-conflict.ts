import type { Parcours } from '@/api/types'
import { ProblemError } from '@/api/problem'

const isParcours = (value: unknown): value is Parcours =>
  typeof value === 'object' && value !== null && 'id' in value && 'version' in value && typeof value.version === 'number'

/** The current record, where a refusal for a stale version contains it. */
export const currentOf = (error: unknown): Parcours | null =>
  error instanceof ProblemError && error.status === 412 && isParcours(error.current) ? error.current : null

/**
 * Runs an operation on the known version; after a version conflict, once more on the newer version.
 * Only for operations that change no field, such as publication: they cannot overwrite what another user saved.
 */
export async function retryOnConflict(version: number, run: (version: number) => Promise<Parcours>): Promise<Parcours> {
  try {
    return await run(version)
  } catch (error) {
    const current = currentOf(error)
    if (current === null) throw error
    return await run(current.version)
  }
}
