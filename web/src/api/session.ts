import { queryOptions, useSuspenseQuery, type QueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client'
import { ProblemError } from './problem'
import type { Capability, Me } from './types'
import { meKey, noteUser } from './signed-in-user'

/** The signed-in user. Rejects with a 401 `ProblemError` when there is none. */
export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: async () => {
    const me = await unwrap(api.GET('/api/v1/session'))
    noteUser(me.id)
    return me
  },
  staleTime: 5 * 60_000,
})

/** The person signed in; only below the signed-in layout. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

/** Whether the user may do this. The server lists the capabilities; nothing is derived from the role. */
export function useCan(capability: Capability): boolean {
  return useMe().capabilities.includes(capability)
}

/**
 * Rejects as the server would where the user may not do this. A page with a form calls it before it is shown: the server would refuse the
 * form only after it was filled in.
 */
export async function requireCapability(client: QueryClient, capability: Capability): Promise<void> {
  const { capabilities } = await client.ensureQueryData(meQuery)
  if (!capabilities.includes(capability)) throw new ProblemError(403, { code: 'auth/forbidden' })
}
